// Operations in which the lanes of a warp meet: what api/warp.h and cooperative groups build on.
//
// `mask` names the lanes that take part, as in CUDA: an operation completes when all of them that
// haven't ended have come to it. `file` and `line` are the caller's.
#ifndef LEETK_WARP_H
#define LEETK_WARP_H
#pragma GCC system_header

#include "leetk/core.h"

#pragma GCC visibility push(hidden)

namespace leetk {

// shuffle_* come first, in the order of PTX's modes up, down, bfly and idx.
enum class WarpOp : unsigned char {
    shuffle_up,
    shuffle_down,
    shuffle_xor,
    shuffle,
    sync,
    ballot,
    any,
    all,
    uniform,
    match_any,
    match_all,
    add,
    least,
    least_unsigned,
    most,
    most_unsigned,
    bit_and,
    bit_or,
    bit_xor,
    active,
};

// The running thread's lane, 0 to 31.
unsigned lane_id();

// What the lane that `operation` (a shuffle) chooses by `lane` and `width` holds in its `bits`. Its
// own lane where that is out of range (PTX, shfl.sync), and poison where the chosen lane takes no
// part or has ended: undefined in CUDA.
unsigned long long shuffle(WarpOp operation, unsigned mask, unsigned long long bits, unsigned lane,
                           int width, const char* file, int line);
// The same for objects of any size.
void shuffle_bytes(WarpOp operation, unsigned mask, const void* from, void* to, size_t bytes,
                   unsigned lane, int width, const char* file, int line);

// All others. The value's bits, and the result's.
unsigned long long warp_meet(WarpOp operation, unsigned mask, unsigned long long bits,
                             const char* file, int line);

// __activemask: the lanes of the warp that come to this line before all of them would have to wait.
unsigned active_mask(const char* file, int line);

// A barrier of the `size` (64 to 1024, a power of two) threads of the block whose ranks share all
// but their last bits.
void tile_barrier(unsigned size, const char* file, int line);
// One value for each thread of the block, by rank, to be exchanged between two such barriers.
unsigned long long& exchange_slot(unsigned rank);

}  // namespace leetk

#pragma GCC visibility pop

#endif
