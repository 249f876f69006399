// thrust's function objects. unary_function, binary_function and a few others went with CUDA 13 and
// are here for code written before.
#ifndef LEETK_THRUST_FUNCTIONAL_H
#define LEETK_THRUST_FUNCTIONAL_H
#pragma GCC system_header

#include "cuda/leetk/extrema.h"
#include "cuda/leetk/operators.h"
#include "thrust/leetk/placeholders.h"

namespace thrust {

using ::cuda::maximum;
using ::cuda::minimum;
using std::bit_and;
using std::bit_or;
using std::bit_xor;
using std::divides;
using std::equal_to;
using std::greater;
using std::greater_equal;
using std::less;
using std::less_equal;
using std::logical_and;
using std::logical_not;
using std::logical_or;
using std::minus;
using std::modulus;
using std::multiplies;
using std::negate;
using std::not_equal_to;
using std::plus;

template <class T = void>
struct identity {
    using argument_type = T;
    using result_type = T;
    constexpr const T& operator()(const T& x) const { return x; }
};
template <>
struct identity<void> {
    template <class T>
    constexpr T operator()(T&& x) const {
        return static_cast<T&&>(x);
    }
};

template <class T = void>
struct square {
    constexpr T operator()(const T& x) const { return x * x; }
};
template <>
struct square<void> {
    template <class T>
    constexpr auto operator()(const T& x) const {
        return x * x;
    }
};

template <class A = void, class B = void>
struct project1st {
    constexpr const A& operator()(const A& a, const B&) const { return a; }
};
template <class A = void, class B = void>
struct project2nd {
    constexpr const B& operator()(const A&, const B& b) const { return b; }
};
template <>
struct project1st<void, void> {
    template <class A, class B>
    constexpr A operator()(A&& a, B&&) const {
        return static_cast<A&&>(a);
    }
};
template <>
struct project2nd<void, void> {
    template <class A, class B>
    constexpr B operator()(A&&, B&& b) const {
        return static_cast<B&&>(b);
    }
};

template <class Argument, class Result>
struct unary_function {
    using argument_type = Argument;
    using result_type = Result;
};
template <class First, class Second, class Result>
struct binary_function {
    using first_argument_type = First;
    using second_argument_type = Second;
    using result_type = Result;
};

template <class Predicate>
struct unary_negate {
    Predicate predicate;
    template <class A>
    bool operator()(const A& a) {
        return !predicate(a);
    }
};
template <class Predicate>
struct binary_negate {
    Predicate predicate;
    template <class A, class B>
    bool operator()(const A& a, const B& b) {
        return !predicate(a, b);
    }
};
template <class Predicate>
unary_negate<Predicate> not1(const Predicate& predicate) {
    return {predicate};
}
template <class Predicate>
binary_negate<Predicate> not2(const Predicate& predicate) {
    return {predicate};
}
template <class Predicate>
auto not_fn(Predicate predicate) {
    return [predicate](const auto&... arguments) mutable { return !predicate(arguments...); };
}

}  // namespace thrust

#endif
