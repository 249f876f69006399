// CUDA's atomic functions, on global and shared memory, for exactly CUDA's types (no
// `atomicAdd(size_t*, ...)`, no `atomicMax(float*, ...)`: nvcc refuses those as well).
//
// Relaxed, as on a GPU, so that they stay right when blocks run side by side. The forms _block and
// _system differ in scope on a GPU only, and for the checks. A thread that keeps asking (a spin lock, a flag that
// another thread sets) lets the block's other threads run once in a while. Defined in atomics.cpp:
// as inline functions they would be a tenth of a solution's compile time.
#ifndef LEETK_API_ATOMICS_H
#define LEETK_API_ATOMICS_H

#include "leetk/types.h"

#pragma GCC visibility push(hidden)

#define LEETK_ATOMIC(T, name) T name(T* address, T value);
#define LEETK_ATOMIC_CAS(T) T atomicCAS(T* address, T compare, T value);
#define LEETK_ATOMICS(T)       \
    LEETK_ATOMIC(T, atomicMin) \
    LEETK_ATOMIC(T, atomicMax) \
    LEETK_ATOMIC(T, atomicAnd) \
    LEETK_ATOMIC(T, atomicOr)  \
    LEETK_ATOMIC(T, atomicXor)

LEETK_ATOMICS(int)
LEETK_ATOMICS(unsigned int)
LEETK_ATOMICS(long long)
LEETK_ATOMICS(unsigned long long)
LEETK_ATOMIC(int, atomicAdd)
LEETK_ATOMIC(unsigned int, atomicAdd)
LEETK_ATOMIC(unsigned long long, atomicAdd)
LEETK_ATOMIC(float, atomicAdd)
LEETK_ATOMIC(double, atomicAdd)
LEETK_ATOMIC(float2, atomicAdd)
LEETK_ATOMIC(float4, atomicAdd)
LEETK_ATOMIC(int, atomicSub)
LEETK_ATOMIC(unsigned int, atomicSub)
LEETK_ATOMIC(int, atomicExch)
LEETK_ATOMIC(unsigned int, atomicExch)
LEETK_ATOMIC(unsigned long long, atomicExch)
LEETK_ATOMIC(float, atomicExch)
LEETK_ATOMIC(unsigned int, atomicInc)
LEETK_ATOMIC(unsigned int, atomicDec)
LEETK_ATOMIC_CAS(int)
LEETK_ATOMIC_CAS(unsigned int)
LEETK_ATOMIC_CAS(unsigned long long)
LEETK_ATOMIC_CAS(unsigned short)

#undef LEETK_ATOMIC
#undef LEETK_ATOMIC_CAS
#undef LEETK_ATOMICS

namespace leetk {
void note_block_scope();  // trace.h
}

#pragma GCC visibility pop

#define LEETK_ATOMIC_SCOPE(name, scope, first)                                                \
    template <class T, class... V>                                                            \
    static inline auto scope(T* address, V... values) -> decltype(name(address, values...)) { \
        first;                                                                                \
        return name(address, values...);                                                      \
    }
#define LEETK_ATOMIC_SCOPES(name)                                       \
    LEETK_ATOMIC_SCOPE(name, name##_block, ::leetk::note_block_scope()) \
    LEETK_ATOMIC_SCOPE(name, name##_system, )
LEETK_ATOMIC_SCOPES(atomicAdd)
LEETK_ATOMIC_SCOPES(atomicSub)
LEETK_ATOMIC_SCOPES(atomicExch)
LEETK_ATOMIC_SCOPES(atomicMin)
LEETK_ATOMIC_SCOPES(atomicMax)
LEETK_ATOMIC_SCOPES(atomicInc)
LEETK_ATOMIC_SCOPES(atomicDec)
LEETK_ATOMIC_SCOPES(atomicCAS)
LEETK_ATOMIC_SCOPES(atomicAnd)
LEETK_ATOMIC_SCOPES(atomicOr)
LEETK_ATOMIC_SCOPES(atomicXor)
#undef LEETK_ATOMIC_SCOPE
#undef LEETK_ATOMIC_SCOPES

#endif
