// thrust::transform, transform_if.
#ifndef LEETK_THRUST_TRANSFORM_H
#define LEETK_THRUST_TRANSFORM_H
#pragma GCC system_header

#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

template <class In, class Out, class Op>
Out transform(const System& system, In first, In last, Out result, Op op) {
    auto from = raw(first);
    auto to = raw(result);
    ptrdiff_t count = last - first;
    auto body = [&] {
        for (ptrdiff_t i = 0; i < count; ++i) to[i] = op(from[i]);
    };
    system.run(body, first, result);
    return result + count;
}
template <class In1, class In2, class Out, class Op>
Out transform(const System& system, In1 first, In1 last, In2 second, Out result, Op op) {
    auto a = raw(first);
    auto b = raw(second);
    auto to = raw(result);
    ptrdiff_t count = last - first;
    auto body = [&] {
        for (ptrdiff_t i = 0; i < count; ++i) to[i] = op(a[i], b[i]);
    };
    system.run(body, first, second, result);
    return result + count;
}

template <class In, class Stencil, class Out, class Op, class Predicate>
Out transform_if(const System& system, In first, In last, Stencil stencil, Out result, Op op,
                 Predicate pred) {
    auto from = raw(first);
    auto flags = raw(stencil);
    auto to = raw(result);
    ptrdiff_t count = last - first;
    auto body = [&] {
        for (ptrdiff_t i = 0; i < count; ++i) {
            if (pred(flags[i])) to[i] = op(from[i]);
        }
    };
    system.run(body, first, stencil, result);
    return result + count;
}
template <class In, class Out, class Op, class Predicate>
Out transform_if(const System& system, In first, In last, Out result, Op op, Predicate pred) {
    return transform_if(system, first, last, first, result, op, pred);
}
template <class In1, class In2, class Stencil, class Out, class Op, class Predicate>
Out transform_if(const System& system, In1 first, In1 last, In2 second, Stencil stencil, Out result,
                 Op op, Predicate pred) {
    auto a = raw(first);
    auto b = raw(second);
    auto flags = raw(stencil);
    auto to = raw(result);
    ptrdiff_t count = last - first;
    auto body = [&] {
        for (ptrdiff_t i = 0; i < count; ++i) {
            if (pred(flags[i])) to[i] = op(a[i], b[i]);
        }
    };
    system.run(body, first, second, stencil, result);
    return result + count;
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

LEETK_THRUST(transform, (class In, class Out, class Op), (In first, In last, Out result, Op op),
             (first, last, result, op))
LEETK_THRUST(transform, (class In1, class In2, class Out, class Op),
             (In1 first1, In1 last1, In2 first2, Out result, Op op),
             (first1, last1, first2, result, op))
LEETK_THRUST(transform_if, (class In, class Out, class Op, class Predicate),
             (In first, In last, Out result, Op op, Predicate pred),
             (first, last, result, op, pred))
LEETK_THRUST(transform_if, (class In, class Stencil, class Out, class Op, class Predicate),
             (In first, In last, Stencil stencil, Out result, Op op, Predicate pred),
             (first, last, stencil, result, op, pred))
LEETK_THRUST(transform_if,
             (class In1, class In2, class Stencil, class Out, class Op, class Predicate),
             (In1 first1, In1 last1, In2 first2, Stencil stencil, Out result, Op op,
              Predicate pred),
             (first1, last1, first2, stencil, result, op, pred))

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
