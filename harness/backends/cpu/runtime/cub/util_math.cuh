// Integer division and rounding.
#ifndef LEETK_CUB_UTIL_MATH_CUH
#define LEETK_CUB_UTIL_MATH_CUH
#pragma GCC system_header

namespace cub {

template <class A, class B>
constexpr A DivideAndRoundUp(A n, B d) {
    return A(n / d + (n % d != 0 ? 1 : 0));
}

}  // namespace cub

#endif
