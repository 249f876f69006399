// Warp shuffles, votes, matches and reductions, for exactly CUDA's types (another one is converted,
// as under nvcc). Functions without _sync are gone since compute capability 7.0.
//
// A header that adds a type (half) writes its overloads by leetk::shuffle, which takes and gives
// bits: see leetk/warp.h. Defined in warp.cpp: this is part of every solution's compile time.
#ifndef LEETK_API_WARP_H
#define LEETK_API_WARP_H

#include "leetk/core.h"

#pragma GCC visibility push(hidden)

#define LEETK_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()
#define LEETK_SHUFFLE(T, name, Lane) \
    T name(unsigned mask, T value, Lane lane, int width = 32, LEETK_HERE);
#define LEETK_SHUFFLES(T)                         \
    LEETK_SHUFFLE(T, __shfl_sync, int)            \
    LEETK_SHUFFLE(T, __shfl_up_sync, unsigned)    \
    LEETK_SHUFFLE(T, __shfl_down_sync, unsigned)  \
    LEETK_SHUFFLE(T, __shfl_xor_sync, int)        \
    unsigned __match_any_sync(unsigned mask, T value, LEETK_HERE); \
    unsigned __match_all_sync(unsigned mask, T value, int* all, LEETK_HERE);
LEETK_SHUFFLES(int)
LEETK_SHUFFLES(unsigned)
LEETK_SHUFFLES(long)
LEETK_SHUFFLES(unsigned long)
LEETK_SHUFFLES(long long)
LEETK_SHUFFLES(unsigned long long)
LEETK_SHUFFLES(float)
LEETK_SHUFFLES(double)
#undef LEETK_SHUFFLES
#undef LEETK_SHUFFLE

#define LEETK_REDUCTION(T, name) T name(unsigned mask, T value, LEETK_HERE);
LEETK_REDUCTION(int, __reduce_add_sync)
LEETK_REDUCTION(int, __reduce_min_sync)
LEETK_REDUCTION(int, __reduce_max_sync)
LEETK_REDUCTION(unsigned, __reduce_add_sync)
LEETK_REDUCTION(unsigned, __reduce_min_sync)
LEETK_REDUCTION(unsigned, __reduce_max_sync)
LEETK_REDUCTION(unsigned, __reduce_and_sync)
LEETK_REDUCTION(unsigned, __reduce_or_sync)
LEETK_REDUCTION(unsigned, __reduce_xor_sync)
#undef LEETK_REDUCTION

int __all_sync(unsigned mask, int predicate, LEETK_HERE);
int __any_sync(unsigned mask, int predicate, LEETK_HERE);
int __uni_sync(unsigned mask, int predicate, LEETK_HERE);
unsigned __ballot_sync(unsigned mask, int predicate, LEETK_HERE);
unsigned __activemask(LEETK_HERE);
void __syncwarp(unsigned mask = 0xffffffff, LEETK_HERE);
#undef LEETK_HERE

#pragma GCC visibility pop

#endif
