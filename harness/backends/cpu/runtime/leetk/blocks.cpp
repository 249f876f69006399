// The order in which blocks run and, within a block, the order in which threads run from one
// barrier to the next. A correct kernel gives the same result in every order, so an output that
// changes with the order proves a race.
//
//   forward   as numbered
//   backward  both reversed
//   shuffled  threads: a new permutation for each segment between barriers; blocks: one affine
//             permutation for each launch, so that no table of a large grid is needed
#include <string.h>

#include "leetk/runtime.h"
#include "leetk/scheduler.h"

namespace leetk {
namespace {

// xorshift64*, Vigna 2016, "An experimental exploration of Marsaglia's xorshift generators".
unsigned long long draw() {
    unsigned long long x = scheduler.random;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    scheduler.random = x;
    return x * 2685821657736338717ull;
}

unsigned below(unsigned limit) { return unsigned(((draw() >> 32) * limit) >> 32); }

unsigned long long divisor(unsigned long long a, unsigned long long b) {
    while (b) {
        unsigned long long rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

void shuffle_blocks() {
    Scheduler& s = scheduler;
    s.offset = draw() % s.blocks;
    do {
        s.stride = draw() % s.blocks;
    } while (s.blocks > 1 && divisor(s.stride, s.blocks) != 1);
}

// blockIdx of the block that comes `block`-th.
void place_block() {
    Scheduler& s = scheduler;
    if (s.order == Order::forward) {
        if (s.block == 0) {
            block_index = {0, 0, 0};
        } else if (++block_index.x == grid_size.x) {
            block_index.x = 0;
            if (++block_index.y == grid_size.y) {
                block_index.y = 0;
                ++block_index.z;
            }
        }
        return;
    }
    unsigned long long at = s.blocks - 1 - s.block;
    if (s.order == Order::shuffled) {
        at = (unsigned long long)(((unsigned __int128)s.block * s.stride + s.offset) % s.blocks);
    }
    unsigned long long rows = at / grid_size.x;
    block_index = {unsigned(at % grid_size.x), unsigned(rows % grid_size.y),
                   unsigned(rows / grid_size.y)};
}

// Lists the live threads in the order in which they run next.
Fiber* build_queue() {
    Scheduler& s = scheduler;
    Fiber** end = s.queue;
    for (int i = 0; i < s.threads; ++i) {
        Fiber* fiber = &s.fibers[s.order == Order::backward ? s.threads - 1 - i : i];
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

Fiber* start_block() {
    Scheduler& s = scheduler;
    if (s.block == s.blocks) return nullptr;
    place_block();
    ++s.block;
    start_shared();
    s.live = s.threads;
    s.ended = 0;
    s.arrived_true = 0;
    for (int i = 0; i < s.threads; ++i) s.fibers[i].state = State::ready;
    if (!s.complete || s.yielded || s.order == Order::shuffled) return build_queue();
    s.position = s.queue;
    return s.queue[0];
}

// Checks that all live threads wait at one barrier, and makes them ready.
void release() {
    Scheduler& s = scheduler;
    const Fiber* first = nullptr;
    for (int i = 0; i < s.threads; ++i) {
        Fiber& fiber = s.fibers[i];
        if (fiber.state == State::exited) continue;
        if (!first) {
            first = &fiber;
        } else if (fiber.line != first->line ||
                   (fiber.file != first->file && strcmp(fiber.file, first->file) != 0)) {
            report_divergence();
        }
    }
    if (s.ended && !s.exit_noted) note_ended_threads();
    for (int i = 0; i < s.threads; ++i) {
        if (s.fibers[i].state == State::at_barrier) s.fibers[i].state = State::ready;
    }
    s.released = s.live;
    s.released_true = s.arrived_true;
    s.arrived_true = 0;
}

}  // namespace

Fiber* next_segment() {
    Scheduler& s = scheduler;
    if (s.live == 0) return start_block();
    release();
    bool rebuild = s.ended || s.yielded || s.order == Order::shuffled;
    s.ended = 0;
    if (rebuild) return build_queue();
    s.position = s.queue;
    return s.queue[0];
}

Fiber* first_block() {
    Scheduler& s = scheduler;
    int threads = 0;
    for (unsigned z = 0; z < block_size.z; ++z) {
        for (unsigned y = 0; y < block_size.y; ++y) {
            for (unsigned x = 0; x < block_size.x; ++x) s.fibers[threads++].index = {x, y, z};
        }
    }
    s.threads = threads;
    s.blocks = (unsigned long long)grid_size.x * grid_size.y * grid_size.z;
    s.block = 0;
    s.complete = false;
    if (s.order == Order::shuffled) shuffle_blocks();
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
