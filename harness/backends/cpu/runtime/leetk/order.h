// When an access happened, and whether something orders it before another one: see order.cpp.
#ifndef LEETK_ORDER_H
#define LEETK_ORDER_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

namespace leetk {

struct Moment {
    unsigned phase;  // launches and grid barriers so far; moments of another one are long past
    unsigned block;  // the block's number in the grid, x running fastest
    unsigned epoch;  // block barriers so far
    unsigned clock;  // meetings and releases of all threads so far
    unsigned short rank;
    unsigned short step;  // accesses of the thread since its last synchronisation, up to 65535
};

// Of the running thread. Counts as one access.
Moment moment();

// What orders an access of the same launch before one of the running thread's. `unfenced`: nothing
// but a lock or a flag, and its block had no fence between the access and now whose scope takes in
// both threads.
enum class Precedence : unsigned char { none, unfenced, certain };
Precedence precedence(const Moment& past, const Moment& now);

void order_launch();
// A copy or a memset in a stream: its phase.
unsigned order_copy(const void* stream);
void order_block();
// Blocks take turns from now on in this launch: within them nothing is found any more.
void order_mixed();
// All blocks have come to grid.sync().
void order_grid();
// All threads of the block have come to a barrier.
void order_barrier();
// Lanes of a warp have met. `first` is the rank of lane 0.
void order_lanes(int first, unsigned lanes);
// The running thread makes visible what it has done, to those who learn of it: of its own block, or
// of all.
enum class FenceScope : unsigned char { block, device };
void order_fence(FenceScope scope);
// It leaves word at an address (an atomic, a flag that it sets) of all that it knows, or looks there
// and learns what others have left. `shared`: of the block's own memory.
void order_release(uintptr_t address, bool shared);
void order_acquire(uintptr_t address, bool shared);
// Whether the running block has had a fence in this launch, of any scope: then its volatile variables may be
// flags, and what it adds to may be a counter of those that are done.
bool has_fenced();

}  // namespace leetk

#pragma GCC visibility pop

#endif
