// cuda::maximum and cuda::minimum.
#ifndef LEETK_CUDA_EXTREMA_H
#define LEETK_CUDA_EXTREMA_H
#pragma GCC system_header

#include <type_traits>

#include "cuda/leetk/std.h"

namespace cuda {

template <class T = void>
struct maximum {
    constexpr T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
template <>
struct maximum<void> {
    template <class A, class B>
    constexpr ::std::common_type_t<A, B> operator()(const A& a, const B& b) const {
        return a < b ? b : a;
    }
};

template <class T = void>
struct minimum {
    constexpr T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
template <>
struct minimum<void> {
    template <class A, class B>
    constexpr ::std::common_type_t<A, B> operator()(const A& a, const B& b) const {
        return b < a ? b : a;
    }
};

}  // namespace cuda

#endif
