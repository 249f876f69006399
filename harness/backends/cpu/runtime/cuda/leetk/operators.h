// std::plus and its kin, without the rest of <functional>, which takes long to compile.
#ifndef LEETK_CUDA_OPERATORS_H
#define LEETK_CUDA_OPERATORS_H
#pragma GCC system_header

#if __has_include(<bits/stl_function.h>)
#include <utility>  // which bits/stl_function.h expects

#include <bits/stl_function.h>
#else
#include <functional>
#endif

#include "cuda/leetk/std.h"

#endif
