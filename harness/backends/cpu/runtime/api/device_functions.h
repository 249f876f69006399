// What only kernels may call: barriers, fences, clocks, traps. Called from host code, they end the
// run with a report: under nvcc such a call doesn't compile.
//
// The fences order memory, and let the block's other threads run once in a while: a thread that
// spins on a flag in memory usually has one in its loop.
#ifndef LEETK_API_DEVICE_FUNCTIONS_H
#define LEETK_API_DEVICE_FUNCTIONS_H

#include "leetk/core.h"

static inline void __syncthreads(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    leetk::barrier(file, line);
}
static inline int __syncthreads_count(int predicate, const char* file = __builtin_FILE(),
                                      int line = __builtin_LINE()) {
    return leetk::barrier_count(predicate, file, line);
}
static inline int __syncthreads_and(int predicate, const char* file = __builtin_FILE(),
                                    int line = __builtin_LINE()) {
    return leetk::barrier_and(predicate, file, line);
}
static inline int __syncthreads_or(int predicate, const char* file = __builtin_FILE(),
                                   int line = __builtin_LINE()) {
    return leetk::barrier_or(predicate, file, line);
}

namespace leetk {
// The same for a barrier that is not the first one of its line: the rewriter writes `NthOfLine<2>::`
// ahead of it.
template <int number>
struct NthOfLine {
    static constexpr int marked(int line) { return line | (number - 1) << line_bits; }
    static void __syncthreads(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
        barrier(file, marked(line));
    }
    static int __syncthreads_count(int predicate, const char* file = __builtin_FILE(),
                                   int line = __builtin_LINE()) {
        return barrier_count(predicate, file, marked(line));
    }
    static int __syncthreads_and(int predicate, const char* file = __builtin_FILE(),
                                 int line = __builtin_LINE()) {
        return barrier_and(predicate, file, marked(line));
    }
    static int __syncthreads_or(int predicate, const char* file = __builtin_FILE(),
                                int line = __builtin_LINE()) {
        return barrier_or(predicate, file, marked(line));
    }
};
}  // namespace leetk

#pragma GCC visibility push(hidden)

#define LEETK_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()
void __threadfence(LEETK_HERE);
void __threadfence_block(LEETK_HERE);
void __threadfence_system(LEETK_HERE);
void __nanosleep(unsigned int nanoseconds, LEETK_HERE);

// Ends the run, as a trap ends a kernel and its context.
void __trap(LEETK_HERE) __attribute__((noreturn));
void __brkpt(LEETK_HERE) __attribute__((noreturn));
#undef LEETK_HERE

// Nanoseconds of the host's clock: they grow as a GPU's cycles do, at another rate.
long long clock64();

namespace leetk {
// assert() in a kernel or in host code.
void assert_failed(const char* expression, const char* file, unsigned int line,
                   const char* function) __attribute__((noreturn));
}  // namespace leetk

#pragma GCC visibility pop

static inline void __prof_trigger(int) {}

// Special registers that inline PTX reads: the rewriter makes calls of such statements.
namespace leetk {
static inline unsigned ptx_laneid() { return thread_rank() % 32; }
static inline unsigned ptx_warpid() { return thread_rank() / 32; }
static inline unsigned ptx_nwarpid() { return 64; }
static inline unsigned ptx_smid() { return (blockIdx.x + blockIdx.y * gridDim.x) % 132; }
static inline unsigned ptx_nsmid() { return 132; }
static inline unsigned ptx_lanemask_eq() { return 1u << ptx_laneid(); }
static inline unsigned ptx_lanemask_lt() { return ptx_lanemask_eq() - 1; }
static inline unsigned ptx_lanemask_le() { return ptx_lanemask_lt() | ptx_lanemask_eq(); }
static inline unsigned ptx_lanemask_gt() { return ~ptx_lanemask_le(); }
static inline unsigned ptx_lanemask_ge() { return ~ptx_lanemask_lt(); }
static inline long long ptx_clock64() { return clock64(); }
static inline unsigned ptx_clock() { return (unsigned)clock64(); }
static inline unsigned long long ptx_globaltimer() { return (unsigned long long)clock64(); }
#define LEETK_PTX_DIMENSION(d)                                   \
    static inline unsigned ptx_tid_##d() { return threadIdx.d; } \
    static inline unsigned ptx_ntid_##d() { return blockDim.d; } \
    static inline unsigned ptx_ctaid_##d() { return blockIdx.d; } \
    static inline unsigned ptx_nctaid_##d() { return gridDim.d; }
LEETK_PTX_DIMENSION(x)
LEETK_PTX_DIMENSION(y)
LEETK_PTX_DIMENSION(z)
#undef LEETK_PTX_DIMENSION
}  // namespace leetk

#if !defined(__clang__)
#define __builtin_assume(condition) ((condition) ? (void)0 : __builtin_unreachable())
#endif
#define __assume(condition) __builtin_assume(condition)

#endif
