// Which accesses of a launch are ordered, and by what (CUDA's memory model, as far as a checker
// needs it: it may take too much for ordered, never too little).
//
//   within a thread     always
//   within a block      by a barrier in between
//   within a warp       by a warp operation of both lanes in between, directly or through others
//   anywhere            by word left at an address: the first thread has released there since (an
//                       atomicExch or atomicCAS, or, after a fence, any atomic or volatile store),
//                       and the second one, or one that it has heard from, has acquired there (an
//                       atomic or a volatile load): flags, locks, "the last block sums up"
//
// Knowledge is kept in vector clocks (Fidge 1988, Mattern 1989). All clocks show the same count, of
// meetings and releases, so that what an earlier block has left behind is merely old: between lanes
// for each lane, between warps for each warp (what one lane acquires its warp knows), between
// blocks for each block (what one thread acquires or releases its block does).
//
// Word without a fence is not ordered by CUDA, though it mostly arrives: `unfenced`. Whether there
// was one is asked of the block of the first access, at any time since. Between blocks
// __threadfence_block() is none; within a block every fence is one.
//
// An atomicAdd orders the adding threads as they came, whether or not they look at what they get:
// "C += s" between two additions to a counter passes for ordered.
#include "leetk/order.h"

#include <string.h>

#include "leetk/pages.h"
#include "leetk/scheduler.h"
#include "leetk/stream_order.h"

namespace leetk {
namespace {

constexpr int most_warps = most_threads / warp_lanes;
// Blocks and places beyond so many share the clocks of others.
constexpr unsigned most_blocks = 256;
constexpr unsigned most_locations = 2048;
constexpr unsigned probes = 8;

unsigned phase;
unsigned epoch;
unsigned clock_now = 1;
bool mixed;
unsigned block_number;
unsigned block_serial;  // blocks begun so far
unsigned short steps[most_threads];

using Lanes = unsigned[warp_lanes];
Lanes lanes_known[most_threads];  // by each thread of its warp's lanes

void learn(unsigned* to, const unsigned* from, unsigned size) {
    for (unsigned i = 0; i < size; ++i) to[i] = from[i] > to[i] ? from[i] : to[i];
}

// What is known of a block's threads. `warps`: a bit for each warp of which anything is.
struct ThreadClocks {
    unsigned serial;  // of the block
    unsigned warps;
    Lanes lanes[most_warps];

    void begin(unsigned block) {
        if (serial == block) return;
        serial = block;
        warps = 0;
    }
    Lanes& of(int warp) {
        if (!(warps >> warp & 1)) memset(lanes[warp], 0, sizeof lanes[warp]);
        warps |= 1u << warp;
        return lanes[warp];
    }
    void learn_all(const ThreadClocks& other) {
        if (other.serial != serial) return;
        for (unsigned left = other.warps; left; left &= left - 1) {
            const int warp = __builtin_ctz(left);
            learn(of(warp), other.lanes[warp], warp_lanes);
        }
    }
};
ThreadClocks warp_known[most_warps];

struct BlockClocks {
    unsigned phase;
    unsigned owner;
    unsigned of[most_blocks];
};
BlockClocks block_known[most_blocks];
struct Fence {
    unsigned phase, clock;
};
struct Fences {
    Fence block;   // the last one, of whatever scope
    Fence device;  // the last one that counts for other blocks
} fences[most_blocks];

// Word left at an address.
struct Location {
    uintptr_t address;
    unsigned phase;
    unsigned version;  // how often it has changed
    ThreadClocks threads;
    BlockClocks blocks;
};
Location locations[most_locations];

// What a thread has learned last: it may ask again and again.
struct Heard {
    const Location* place;
    unsigned version, serial;
} heard[most_threads];

unsigned number_of_block() {
    return block_index.x + grid_size.x * (block_index.y + grid_size.y * block_index.z);
}

unsigned running_block() { return mixed ? number_of_block() : block_number; }

BlockClocks& known_by(unsigned block) {
    BlockClocks& known = block_known[block % most_blocks];
    if (known.phase != phase || known.owner != block) {
        memset(&known, 0, sizeof known);
        known.phase = phase;
        known.owner = block;
    }
    return known;
}

Location* location_of(uintptr_t address, bool add) {
    const size_t start = (address >> 2) * 0x9e3779b97f4a7c15u >> 32;
    for (unsigned i = 0; i < probes; ++i) {
        Location& place = locations[(start + i) % most_locations];
        if (place.phase == phase && place.address == address) return &place;
        if (place.phase == phase) continue;
        if (!add) return nullptr;
        place.address = address;
        place.phase = phase;
        place.threads.serial = 0;
        memset(&place.blocks, 0, sizeof place.blocks);
        return &place;
    }
    return &locations[start % most_locations];
}

bool is_known(const Moment& past, const Moment& now) {
    if (past.block != now.block) {
        const BlockClocks& known = block_known[now.block % most_blocks];
        return known.phase == phase && known.owner == now.block &&
               known.of[past.block % most_blocks] >= past.clock;
    }
    const ThreadClocks& known = warp_known[now.rank / warp_lanes];
    const int warp = past.rank / warp_lanes;
    return known.serial == block_serial && (known.warps >> warp & 1) &&
           known.lanes[warp][past.rank % warp_lanes] >= past.clock;
}

}  // namespace

Moment moment() {
    const unsigned rank = unsigned(scheduler.current->rank);
    if (steps[rank] != 0xffff) ++steps[rank];
    return {phase, running_block(), epoch, clock_now, (unsigned short)rank, steps[rank]};
}

Precedence precedence(const Moment& past, const Moment& now) {
    if (past.block == now.block) {
        if (mixed || past.rank == now.rank || past.epoch < now.epoch) return Precedence::certain;
        if (past.rank / warp_lanes == now.rank / warp_lanes &&
            lanes_known[now.rank][past.rank % warp_lanes] >= past.clock) {
            return Precedence::certain;
        }
    }
    if (!is_known(past, now)) return Precedence::none;
    const Fences& last = fences[past.block % most_blocks];
    const Fence& fence = past.block == now.block ? last.block : last.device;
    const bool fenced = fence.phase == phase && fence.clock >= past.clock;
    return fenced ? Precedence::certain : Precedence::unfenced;
}

void order_launch() {
    ++phase;
    order_launch_in(scheduler.config->stream, phase);
    mixed = false;
}

unsigned order_copy(const void* stream) {
    order_launch_in(stream, ++phase);
    return phase;
}

void order_block() {
    ++epoch;
    ++block_serial;
    memset(steps, 0, size_t(scheduler.threads) * sizeof steps[0]);
    block_number = number_of_block();
}

void order_grid() {
    ++phase;
    order_next_phase(phase);
}

void order_mixed() { mixed = true; }

void order_barrier() {
    ++epoch;
    memset(steps, 0, size_t(scheduler.threads) * sizeof steps[0]);
}

void order_lanes(int first, unsigned lanes) {
    Lanes merged = {};
    for (unsigned left = lanes; left; left &= left - 1) {
        learn(merged, lanes_known[first + __builtin_ctz(left)], warp_lanes);
    }
    for (unsigned left = lanes; left; left &= left - 1) merged[__builtin_ctz(left)] = clock_now;
    ++clock_now;
    for (unsigned left = lanes; left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        memcpy(lanes_known[first + lane], merged, sizeof merged);
        steps[first + lane] = 0;
    }
}

void order_fence(FenceScope scope) {
    Fences& last = fences[running_block() % most_blocks];
    last.block = {phase, clock_now};
    if (scope == FenceScope::device) last.device = last.block;
    ++clock_now;
}

bool has_fenced() { return fences[running_block() % most_blocks].block.phase == phase; }

void order_release(uintptr_t address, bool shared) {
    if (shared && mixed) return;
    const unsigned rank = unsigned(scheduler.current->rank);
    const int warp = int(rank) / warp_lanes;
    Location& place = *location_of(address, true);
    if (!mixed) {
        place.threads.begin(block_serial);
        place.threads.learn_all(warp_known[warp]);
        Lanes& own = place.threads.of(warp);
        learn(own, lanes_known[rank], warp_lanes);
        own[rank % warp_lanes] = clock_now;
    }
    if (!shared) {
        const unsigned block = running_block();
        learn(place.blocks.of, known_by(block).of, most_blocks);
        place.blocks.of[block % most_blocks] = clock_now;
    }
    ++place.version;
    ++clock_now;
}

void order_acquire(uintptr_t address, bool shared) {
    if (shared && mixed) return;
    const Location* place = location_of(address, false);
    if (!place) return;
    const unsigned rank = unsigned(scheduler.current->rank);
    Heard& last = heard[rank];
    if (!mixed && last.place == place && last.version == place->version &&
        last.serial == block_serial) {
        return;
    }
    last = {place, place->version, block_serial};
    if (!mixed) {
        ThreadClocks& known = warp_known[rank / warp_lanes];
        known.begin(block_serial);
        known.learn_all(place->threads);
    }
    if (!shared) learn(known_by(running_block()).of, place->blocks.of, most_blocks);
}

}  // namespace leetk
