// The order in which blocks run and, within a block, the order in which threads run from one
// barrier to the next. A correct kernel gives the same result in every order, so an output that
// changes with the order proves a race.
//
//   forward   as numbered
//   backward  both reversed
//   shuffled  threads: a new permutation for each segment between barriers; blocks: one affine
//             permutation for each launch, so that no table of a large grid is needed, and the
//             first ones are left at barriers for others to run in between
//
// Once a block has been found to wait for another one (residency.cpp), the blocks that haven't
// started do so in ascending order whatever the order asked for: that is how a GPU starts them, and
// kernels that wait for the block before (a scan with look-back) rely on it.
#include <string.h>

#include "leetk/runtime.h"
#include "leetk/scheduler.h"
#include "leetk/trace.h"
#include "leetk/watch.h"

namespace leetk {
namespace {

// Blocks in ascending order: the next to look at, how many had started in the other order, and for
// `shuffled` what undoes the stride.
struct Ascent {
    bool on;
    unsigned long long next;
    unsigned long long started;
    unsigned long long unstride;
};
Ascent ascent;

// Each costs some 50 us.
constexpr int interleavings_a_launch = 2;

// xorshift64*, Vigna 2016, "An experimental exploration of Marsaglia's xorshift generators".
unsigned long long draw() {
    unsigned long long x = scheduler.random;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    scheduler.random = x;
    return x * 2685821657736338717ull;
}

unsigned long long divisor(unsigned long long a, unsigned long long b) {
    while (b) {
        unsigned long long rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

unsigned long long product(unsigned long long a, unsigned long long b, unsigned long long modulus) {
    return (unsigned long long)((unsigned __int128)a * b % modulus);
}

// x with a * x = 1, by Euclid's algorithm; a and the modulus have no common divisor.
unsigned long long inverse(unsigned long long a, unsigned long long modulus) {
    __int128 rest = modulus, next_rest = a;
    __int128 factor = 0, next_factor = 1;
    while (next_rest) {
        __int128 times = rest / next_rest;
        __int128 swap = rest - times * next_rest;
        rest = next_rest;
        next_rest = swap;
        swap = factor - times * next_factor;
        factor = next_factor;
        next_factor = swap;
    }
    return (unsigned long long)(factor < 0 ? factor + modulus : factor);
}

void shuffle_blocks() {
    Scheduler& s = scheduler;
    s.offset = draw() % s.blocks;
    do {
        s.stride = draw() % s.blocks;
    } while (s.blocks > 1 && divisor(s.stride, s.blocks) != 1);
}

// Whether the block with that number started before ascend().
bool started_before(unsigned long long number) {
    const Scheduler& s = scheduler;
    unsigned long long turn = s.blocks - 1 - number;
    if (s.order == Order::shuffled) {
        turn = product(number + (s.blocks - s.offset), ascent.unstride, s.blocks);
    }
    return turn < ascent.started;
}

// The number of the block that comes `s.block`-th.
unsigned long long next_number() {
    Scheduler& s = scheduler;
    if (ascent.on) {
        while (started_before(ascent.next)) ++ascent.next;
        return ascent.next++;
    }
    if (s.order == Order::backward) return s.blocks - 1 - s.block;
    return (product(s.block, s.stride, s.blocks) + s.offset) % s.blocks;
}

// In forward order by counting, because a division costs as much as a short thread.
void place_block() {
    Scheduler& s = scheduler;
    static Three counted;
    if (s.order != Order::forward || in_team()) {
        unsigned long long at = s.order == Order::forward ? s.block : next_number();
        unsigned long long rows = at / grid_size.x;
        block_index = {unsigned(at % grid_size.x), unsigned(rows % grid_size.y),
                       unsigned(rows / grid_size.y)};
        return;
    }
    if (s.block == 0) {
        counted = {0, 0, 0};
    } else if (++counted.x == grid_size.x) {
        counted.x = 0;
        if (++counted.y == grid_size.y) {
            counted.y = 0;
            ++counted.z;
        }
    }
    block_index = counted;
}

// Lists the live threads in the order in which they run next.
Fiber* build_queue() {
    Scheduler& s = scheduler;
    Fiber** end = s.queue;
    Fiber* const fibers = s.fibers;
    const int threads = s.threads;
    for (int i = 0; i < threads; ++i) {
        Fiber* fiber = &fibers[s.order == Order::backward ? threads - 1 - i : i];
        if (fiber->state != State::exited) *end++ = fiber;
    }
    if (s.order == Order::shuffled) {
        for (unsigned n = unsigned(end - s.queue); n > 1; --n) {
            unsigned other = below(n);
            Fiber* last = s.queue[n - 1];
            s.queue[n - 1] = s.queue[other];
            s.queue[other] = last;
        }
    }
    for (int i = 0; i < fetched_ahead; ++i) end[i] = s.queue[0];
    s.queue_end = end;
    s.position = s.queue;
    s.complete = s.live == s.threads;
    s.yielded = false;
    return s.queue[0];
}

// The live threads in the next order.
Fiber* queue_again(bool changed) {
    Scheduler& s = scheduler;
    if (changed || s.yielded || s.order == Order::shuffled) return build_queue();
    s.position = s.queue;
    return s.queue[0];
}

// Checks that all live threads wait at one barrier.
void check_places() {
    Scheduler& s = scheduler;
    const Fiber* first = nullptr;
    const Fiber* const end = s.fibers + s.threads;
    for (const Fiber* at = s.fibers; at != end; ++at) {
        const Fiber& fiber = *at;
        if (fiber.state == State::exited) continue;
        if (!first) {
            first = &fiber;
        } else if (fiber.line != first->line ||
                   (fiber.file != first->file && strcmp(fiber.file, first->file) != 0)) {
            report_divergence();
        }
    }
    if (s.grid_arrivals && s.grid_arrivals != s.live) report_divergence();
    if (s.ended && !s.exit_noted) note_ended_threads();
}

// Some live threads wait.
Fiber* next_of_block() {
    Scheduler& s = scheduler;
    if (s.waiting) {
        if (!settle_warps()) report_deadlock();
        return *s.position;
    }
    check_places();
    if (s.grid_arrivals) {
        s.grid_arrivals = 0;
        if (Fiber* elsewhere = wait_for_grid()) return elsewhere;
    }
    return release_barrier();
}

}  // namespace

unsigned below(unsigned limit) { return unsigned(((draw() >> 32) * limit) >> 32); }

void ascend() {
    Scheduler& s = scheduler;
    if (ascent.on || s.order == Order::forward || in_team()) return;
    ascent = {true, 0, s.block, 0};
    if (s.order == Order::shuffled) ascent.unstride = inverse(s.stride, s.blocks);
}

bool ascending() { return ascent.on; }

Fiber* start_block() {
    Scheduler& s = scheduler;
    if (!take_block()) return nullptr;
    place_block();
    ++s.block;
    start_shared();
    forget_copies();
    if (__builtin_expect(watching, 0)) forget_overlooked();
    if (__builtin_expect(checking, 0)) check_block_begin();
    s.live = s.threads;
    s.ended = 0;
    s.arrived_true = 0;
    const Fiber* const end = s.fibers + s.threads;
    for (Fiber* fiber = s.fibers; fiber != end; ++fiber) fiber->state = State::ready;
    return queue_again(!s.complete);
}

Fiber* release_barrier() {
    Scheduler& s = scheduler;
    const Fiber* const end = s.fibers + s.threads;
    for (Fiber* fiber = s.fibers; fiber != end; ++fiber) {
        if (fiber->state == State::at_barrier) fiber->state = State::ready;
    }
    if (__builtin_expect(checking, 0)) order_barrier();
    s.released = s.live;
    s.released_true = s.arrived_true;
    s.arrived_true = 0;
    bool changed = s.ended != 0;
    s.ended = 0;
    return queue_again(changed);
}

LEETK_SCHEDULING Fiber* next_segment() {
    Scheduler& s = scheduler;
    s.busy = true;
    ++s.releases;
    Fiber* next;
    if (s.live == 0) {
        if (tracing) trace_block();
        next = blocks_aside() ? after_block() : start_block();
    } else {
        next = next_of_block();
        if (next && s.interleavings && !in_team() && below(2)) {
            --s.interleavings;
            if (Fiber* other = interleave(next)) next = other;
        }
    }
    if (__builtin_expect(s.slice_due, 0) && next) {
        if (Fiber* other = change_block(next, false)) next = other;
    }
    s.busy = false;
    return next;
}

void set_thread_indices(Fiber* fibers) {
    short rank = 0;
    for (unsigned z = 0; z < block_size.z; ++z) {
        for (unsigned y = 0; y < block_size.y; ++y) {
            for (unsigned x = 0; x < block_size.x; ++x, ++rank) {
                fibers[rank].index = {x, y, z};
                fibers[rank].rank = rank;
                fibers[rank].context = nullptr;
            }
        }
    }
}

Fiber* first_block() {
    Scheduler& s = scheduler;
    s.threads = int(block_size.x * block_size.y * block_size.z);
    s.blocks = (unsigned long long)grid_size.x * grid_size.y * grid_size.z;
    s.block = 0;
    s.complete = false;
    s.yielded = false;
    s.waiting = 0;
    s.grid_arrivals = 0;
    set_thread_indices(s.fibers);
    ascent.on = false;
    s.interleavings = 0;
    if (s.order == Order::shuffled) {
        shuffle_blocks();
        if (!s.config->cooperative) s.interleavings = interleavings_a_launch;
    }
    return start_block();
}

void begin_order(const char* order, unsigned long long seed) {
    Scheduler& s = scheduler;
    s.order = !strcmp(order, "backward")   ? Order::backward
              : !strcmp(order, "shuffled") ? Order::shuffled
                                           : Order::forward;
    s.random = seed * 0x9e3779b97f4a7c15ull + 0x1234567;
    if (s.random == 0) s.random = 1;
    for (int i = 0; i < 8; ++i) draw();
    forget_noted_threads();
}

}  // namespace leetk
