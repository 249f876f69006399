// When an access happened, and whether something orders it before another one: see order.cpp.
#ifndef LEETK_ORDER_H
#define LEETK_ORDER_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

namespace leetk {

struct Moment {
    unsigned phase;    // launches and grid barriers so far; moments of another one are long past
    unsigned block;    // the block's number in the grid, x running fastest
    unsigned epoch;    // block barriers so far
    unsigned clock;    // the lane's own, of its warp's vector clocks
    unsigned releases;        // the thread's fences and locking atomics so far
    unsigned block_releases;  // the same of its block
    unsigned short rank;
    unsigned short step;  // accesses of the thread since its last synchronisation, up to 65535
};

// Of the running thread. Counts as one access.
Moment moment();
// Whether `past`, an access of the same launch, happened before `now`, the running thread's: by
// program order, a barrier, a warp operation, or a fence and an atomic.
bool happened_before(const Moment& past, const Moment& now);

void order_launch();
void order_block();
// Blocks take turns from now on in this launch: within them nothing is found any more.
void order_mixed();
// All blocks have come to grid.sync().
void order_grid();
// All threads of the block have come to a barrier.
void order_barrier();
// Lanes of a warp have met. `first` is the rank of lane 0.
void order_lanes(int first, unsigned lanes);
// The running thread makes what it did visible, or looks at what others made visible.
void order_release();
void order_acquire();
// Whether the running block has ever released: then its volatile variables may be flags.
bool has_released();

}  // namespace leetk

#pragma GCC visibility pop

#endif
