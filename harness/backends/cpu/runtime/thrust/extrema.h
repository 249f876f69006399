// thrust::min_element, max_element, minmax_element; thrust::min and max.
#ifndef LEETK_THRUST_EXTREMA_H
#define LEETK_THRUST_EXTREMA_H
#pragma GCC system_header

#include <utility>

#include "cuda/leetk/operators.h"
#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

template <class In, class Op>
In min_element(const System& system, In first, In last, Op op) {
    auto from = raw(first);
    ptrdiff_t count = last - first, best = 0;
    auto body = [&] {
        for (ptrdiff_t i = 1; i < count; ++i) {
            if (op(from[i], from[best])) best = i;
        }
    };
    system.run(body, first);
    return first + best;
}
template <class In, class Op>
In max_element(const System& system, In first, In last, Op op) {
    auto from = raw(first);
    ptrdiff_t count = last - first, best = 0;
    auto body = [&] {
        for (ptrdiff_t i = 1; i < count; ++i) {
            if (op(from[best], from[i])) best = i;
        }
    };
    system.run(body, first);
    return first + best;
}
template <class In, class Op>
std::pair<In, In> minmax_element(const System& system, In first, In last, Op op) {
    return {min_element(system, first, last, op), max_element(system, first, last, op)};
}
template <class In>
In min_element(const System& system, In first, In last) {
    return min_element(system, first, last, std::less<>{});
}
template <class In>
In max_element(const System& system, In first, In last) {
    return max_element(system, first, last, std::less<>{});
}
template <class In>
std::pair<In, In> minmax_element(const System& system, In first, In last) {
    return minmax_element(system, first, last, std::less<>{});
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

template <class T>
constexpr T min(const T& a, const T& b) {
    return b < a ? b : a;
}
template <class T>
constexpr T max(const T& a, const T& b) {
    return a < b ? b : a;
}
template <class T, class Op>
constexpr T min(const T& a, const T& b, Op comp) {
    return comp(b, a) ? b : a;
}
template <class T, class Op>
constexpr T max(const T& a, const T& b, Op comp) {
    return comp(a, b) ? b : a;
}

LEETK_THRUST(min_element, (class In), (In first, In last), (first, last))
LEETK_THRUST(min_element, (class In, class Op), (In first, In last, Op comp), (first, last, comp))
LEETK_THRUST(max_element, (class In), (In first, In last), (first, last))
LEETK_THRUST(max_element, (class In, class Op), (In first, In last, Op comp), (first, last, comp))
LEETK_THRUST(minmax_element, (class In), (In first, In last), (first, last))
LEETK_THRUST(minmax_element, (class In, class Op), (In first, In last, Op comp),
             (first, last, comp))

}  // namespace thrust

#include "thrust/execution_policy.h"
#include "thrust/leetk/around.h"
#include "thrust/reduce.h"

#endif
