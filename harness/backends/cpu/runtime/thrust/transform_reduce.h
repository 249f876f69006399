// thrust::transform_reduce.
#ifndef LEETK_THRUST_TRANSFORM_REDUCE_H
#define LEETK_THRUST_TRANSFORM_REDUCE_H
#pragma GCC system_header

#include "cub/leetk/extremum.h"
#include "cub/leetk/fold.h"
#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

template <class In, class Unary, class T, class Op>
T transform_reduce(const System& system, In first, In last, Unary unary, T init, Op op) {
    auto from = raw(first);
    ptrdiff_t count = last - first;
    auto body = [&] {
        auto items = mapped<T>(from, unary);
        if (count > 0) init = op(init, fold<T>(items, 0, count, op));
    };
    system.run(body, first);
    return init;
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

LEETK_THRUST(transform_reduce, (class In, class Unary, class T, class Op),
             (In first, In last, Unary unary_op, T init, Op binary_op),
             (first, last, unary_op, init, binary_op))

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
