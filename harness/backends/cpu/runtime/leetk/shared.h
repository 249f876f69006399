// __shared__ and extern __shared__.
//
// A static shared variable is `static thread_local`, for three reasons. The linker puts all of a
// library's thread-local variables side by side, whatever functions and templates they stand in
// (a section attribute can't do that: it conflicts between templates and plain functions), so they
// can be poisoned when a block starts and a red zone can follow them. They need no initialisation.
// And blocks may one day run side by side in several host threads. Consequence: a solution must
// have no thread_local variables of its own; the rewriter turns those into static ones.
//
// A dynamic shared array is a reference to an array of unknown bound, so that all that CUDA allows
// works: s[i], s + i, &s[i], (int*)s, (int*)&s. Its end lies against a guard page.
//     LEETK_DYNAMIC_SHARED(type, name)       within a function
//     LEETK_DYNAMIC_SHARED_FILE(type, name)  at namespace scope
// `extern __shared__ float s[][17]` has the type `float[17]`. A type with a comma in it is passed
// as `__typeof__(pair<int, int>)`.
#ifndef LEETK_SHARED_H
#define LEETK_SHARED_H
#pragma GCC system_header

#include "leetk/core.h"

#define __shared__ static thread_local

namespace leetk {

template <class T>
using Same = T;

}  // namespace leetk

#define LEETK_DYNAMIC_SHARED(type, name)  \
    ::leetk::Same<type>(&name)[] =        \
        *static_cast<::leetk::Same<type>(*)[]>(::leetk::dynamic_shared())

// A reference is a pointer underneath: this one is set at each launch (dynamic.cpp).
#define LEETK_DYNAMIC_SHARED_FILE(type, name)                            \
    extern ::leetk::Same<type>(&name)[] __asm__("leetk_dynamic_base") \
        __attribute__((visibility("hidden")))

#endif
