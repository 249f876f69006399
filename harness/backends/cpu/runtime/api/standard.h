// What nvcc's implicit cuda_runtime.h makes visible of the C and C++ libraries, no more: printf
// and assert, for one, need their own include under nvcc (its host pass has none), so they need it
// here as well.
//
// The C++17 special functions (std::legendre and the like) are a third of the cost of <cmath> in
// libstdc++. They are left out here and come when a source includes <cmath> itself (see
// the wrapper runtime/cmath).
//
// The build may define LEETK_NO_STD for a solution that doesn't contain the word `std`: what only
// lives in that namespace (std::max, std::pair, std::numeric_limits) is then left out as well,
// which saves a third of this header's time.
#ifndef LEETK_API_STANDARD_H
#define LEETK_API_STANDARD_H

// GCC would leave out what a kernel writes past the end of its memory from malloc, and what it writes
// there without reading it: such memory counts as the function's own (see -fno-builtin-malloc, too).
#if __has_include(<features.h>)
#include <features.h>
#undef __attribute_malloc__
#define __attribute_malloc__
#endif

#define LEETK_CMATH_LIGHT
#if __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#pragma push_macro("_GLIBCXX_USE_STD_SPEC_FUNCS")
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#define _GLIBCXX_USE_STD_SPEC_FUNCS 0
#include <math.h>
#pragma pop_macro("_GLIBCXX_USE_STD_SPEC_FUNCS")
#else
#include <math.h>
#endif
#undef LEETK_CMATH_LIGHT

#include <ctype.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if !defined(LEETK_NO_STD)
#include <limits>
#include <utility>
#if __has_include(<bits/stl_algobase.h>)
#include <bits/stl_algobase.h>
#else
#include <algorithm>
#endif
#endif

#endif
