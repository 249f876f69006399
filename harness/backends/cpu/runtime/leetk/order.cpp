// Which accesses of a launch are ordered, and by what (CUDA's memory model, as far as a checker
// needs it: it may take too much for ordered, never too little).
//
//   within a thread     always
//   within a block      by a barrier in between
//   within a warp       by a warp operation of both lanes in between, directly or through others:
//                       each lane has a vector clock (Fidge 1988, Mattern 1989) over its warp
//   anywhere            when the first thread's block has released since (a fence, atomicExch,
//                       atomicCAS) and the second one's has acquired (an atomic, a volatile load,
//                       a fence): flags, locks, "the last block sums up". Which flag it was is not
//                       looked at
//
// A plain atomicAdd does not release: a histogram needs its barrier before it is read.
#include "leetk/order.h"

#include <string.h>

#include "leetk/pages.h"
#include "leetk/scheduler.h"

namespace leetk {
namespace {

// Blocks beyond so many share the numbers of others.
constexpr unsigned most_blocks = 4096;

unsigned phase;
unsigned epoch;
unsigned clocks[most_threads][warp_lanes];  // what each thread knows of its warp's lanes
// Of each thread of the running block. `clock` is its own in `clocks`.
struct Track {
    unsigned clock;
    unsigned releases;
    unsigned short step;
    bool acquired;
};
Track tracks[most_threads];
unsigned block_releases[most_blocks];
bool block_acquired[most_blocks];

bool mixed;
unsigned block_number;

unsigned number_of_block() {
    return block_index.x + grid_size.x * (block_index.y + grid_size.y * block_index.z);
}

unsigned running_block() { return mixed ? number_of_block() : block_number; }

bool synchronised(const Moment& past, const Moment& now) {
    if (past.block != now.block) {
        return block_releases[past.block % most_blocks] > past.block_releases &&
               block_acquired[now.block % most_blocks];
    }
    return tracks[past.rank].releases > past.releases && tracks[now.rank].acquired;
}

}  // namespace

Moment moment() {
    const unsigned rank = unsigned(scheduler.current->rank);
    const unsigned block = running_block();
    Track& track = tracks[rank];
    if (track.step != 0xffff) ++track.step;
    return {phase,
            block,
            epoch,
            track.clock,
            track.releases,
            block_releases[block % most_blocks],
            (unsigned short)rank,
            track.step};
}

bool happened_before(const Moment& past, const Moment& now) {
    if (past.block == now.block) {
        if (mixed || past.rank == now.rank || past.epoch < now.epoch) return true;
        if (past.rank / warp_lanes == now.rank / warp_lanes &&
            clocks[now.rank][past.rank % warp_lanes] >= past.clock) {
            return true;
        }
    }
    return synchronised(past, now);
}

void order_launch() {
    ++phase;
    mixed = false;
    memset(block_releases, 0, sizeof block_releases);
    memset(block_acquired, 0, sizeof block_acquired);
}

void order_block() {
    ++epoch;
    const int threads = scheduler.threads;
    memset(clocks, 0, size_t(threads) * sizeof clocks[0]);
    for (int i = 0; i < threads; ++i) {
        tracks[i] = {1, 0, 0, false};
        clocks[i][i % warp_lanes] = 1;
    }
    block_number = number_of_block();
}

void order_grid() { ++phase; }

void order_mixed() { mixed = true; }

void order_barrier() {
    ++epoch;
    for (int i = 0; i < scheduler.threads; ++i) tracks[i].step = 0;
}

void order_lanes(int first, unsigned lanes) {
    unsigned merged[warp_lanes] = {};
    for (unsigned left = lanes; left; left &= left - 1) {
        const unsigned* known = clocks[first + __builtin_ctz(left)];
        for (int i = 0; i < warp_lanes; ++i) {
            if (known[i] > merged[i]) merged[i] = known[i];
        }
    }
    for (unsigned left = lanes; left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        memcpy(clocks[first + lane], merged, sizeof merged);
        tracks[first + lane].clock = ++clocks[first + lane][lane];
        tracks[first + lane].step = 0;
    }
}

void order_release() {
    ++tracks[scheduler.current->rank].releases;
    ++block_releases[running_block() % most_blocks];
}

bool has_released() { return block_releases[running_block() % most_blocks] != 0; }

void order_acquire() {
    tracks[scheduler.current->rank].acquired = true;
    block_acquired[running_block() % most_blocks] = true;
}

}  // namespace leetk
