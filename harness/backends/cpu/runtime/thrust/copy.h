// thrust::copy, copy_n, copy_if. A copy may lead from the host to the device and back.
#ifndef LEETK_THRUST_COPY_H
#define LEETK_THRUST_COPY_H
#pragma GCC system_header

#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

template <class In, class Out>
Out copy(const System& system, In first, In last, Out result) {
    auto from = raw(first);
    auto end = raw(last);
    auto to = raw(result);
    ptrdiff_t count = 0;
    auto body = [&] {
        for (; from != end; ++from, ++to, ++count) *to = *from;
    };
    system.run(body, first, result);
    std::advance(result, count);
    return result;
}

template <class In, class Size, class Out>
Out copy_n(const System& system, In first, Size n, Out result) {
    auto from = raw(first);
    auto to = raw(result);
    auto body = [&] {
        for (Size i = 0; i < n; ++i, ++from, ++to) *to = *from;
    };
    system.run(body, first, result);
    std::advance(result, n);
    return result;
}

template <class In, class Stencil, class Out, class Predicate>
Out copy_if(const System& system, In first, In last, Stencil stencil, Out result,
            Predicate predicate) {
    auto from = raw(first);
    auto flags = raw(stencil);
    auto to = raw(result);
    ptrdiff_t count = last - first, made = 0;
    auto body = [&] {
        for (ptrdiff_t i = 0; i < count; ++i) {
            if (predicate(flags[i])) to[made++] = from[i];
        }
    };
    system.run(body, first, stencil, result);
    return result + made;
}
template <class In, class Out, class Predicate>
Out copy_if(const System& system, In first, In last, Out result, Predicate predicate) {
    return copy_if(system, first, last, first, result, predicate);
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

LEETK_THRUST(copy, (class In, class Out), (In first, In last, Out result), (first, last, result))
LEETK_THRUST(copy_n, (class In, class Size, class Out), (In first, Size n, Out result),
             (first, n, result))
LEETK_THRUST(copy_if, (class In, class Out, class Predicate),
             (In first, In last, Out result, Predicate pred), (first, last, result, pred))
LEETK_THRUST(copy_if, (class In, class Stencil, class Out, class Predicate),
             (In first, In last, Stencil stencil, Out result, Predicate pred),
             (first, last, stencil, result, pred))

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
