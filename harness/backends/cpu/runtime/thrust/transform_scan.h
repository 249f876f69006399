// thrust::transform_inclusive_scan, transform_exclusive_scan.
#ifndef LEETK_THRUST_TRANSFORM_SCAN_H
#define LEETK_THRUST_TRANSFORM_SCAN_H
#pragma GCC system_header

#include "cub/leetk/extremum.h"
#include "cub/leetk/fold.h"
#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

template <class In, class Out, class Unary, class Op>
Out transform_inclusive_scan(const System& system, In first, In last, Out result, Unary unary,
                             Op op) {
    auto from = raw(first);
    auto to = raw(result);
    ptrdiff_t count = last - first;
    using T = std::decay_t<decltype(unary(from[0]))>;
    auto body = [&] {
        auto items = mapped<T>(from, unary);
        scan<T>(items, to, count, op, static_cast<const T*>(nullptr), true);
    };
    system.run(body, first, result);
    return result + count;
}
template <class In, class Out, class Unary, class T, class Op>
Out transform_exclusive_scan(const System& system, In first, In last, Out result, Unary unary,
                             T init, Op op) {
    auto from = raw(first);
    auto to = raw(result);
    ptrdiff_t count = last - first;
    auto body = [&] {
        auto items = mapped<T>(from, unary);
        scan<T>(items, to, count, op, &init, false);
    };
    system.run(body, first, result);
    return result + count;
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

LEETK_THRUST(transform_inclusive_scan, (class In, class Out, class Unary, class Op),
             (In first, In last, Out result, Unary unary_op, Op op),
             (first, last, result, unary_op, op))
LEETK_THRUST(transform_exclusive_scan, (class In, class Out, class Unary, class T, class Op),
             (In first, In last, Out result, Unary unary_op, T init, Op op),
             (first, last, result, unary_op, init, op))

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
