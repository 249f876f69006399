// What is remembered of each place of shared and global memory while kernels are checked.
#ifndef LEETK_SHADOW_H
#define LEETK_SHADOW_H

#include <stddef.h>
#include <stdint.h>

#include "leetk/manner.h"
#include "leetk/order.h"

#pragma GCC visibility push(hidden)

namespace leetk {

struct Stamp {
    Moment when;
    unsigned pc;  // relative to the library
    Manner manner;
    bool block_scope;  // an atomic that other blocks need not see whole
    bool silent;       // a store that changed nothing
    bool again : 1;    // a store over what was written before the last barrier
    bool raced : 1;    // a store in a race
};

// `phase` 0 in a stamp: none. `plain` is the last write that was no atomic, or of an argument the
// last that put something else in its place. Two readers are kept, of different threads.
struct Cell {
    Stamp write, plain;
    Stamp reads[2];
    char before[4];  // what was there before the last write (stale.cpp)
};

// The cells of one stretch of memory: one for each 4 bytes, until smaller accesses are seen.
struct Shadow {
    uintptr_t begin;
    size_t bytes;
    Cell* cells;
    unsigned shift;
};

// Cells of an access: `count` of them from `first` on, which is of the `bytes` at `begin`. None where
// there is no memory for them.
struct Cells {
    Cell* first;
    size_t count;
    uintptr_t begin;
    unsigned bytes;
};
// `shadow` is made when it is null.
Cells cells_of(Shadow*& shadow, uintptr_t begin, size_t bytes, uintptr_t address, unsigned size);
void drop_shadow(Shadow* shadow);
// As if nobody had touched [begin, begin + bytes).
void forget_cells(Shadow& shadow, uintptr_t begin, size_t bytes);

}  // namespace leetk

#pragma GCC visibility pop

#endif
