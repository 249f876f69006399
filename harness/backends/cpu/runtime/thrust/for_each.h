// thrust::for_each, for_each_n.
#ifndef LEETK_THRUST_FOR_EACH_H
#define LEETK_THRUST_FOR_EACH_H
#pragma GCC system_header

#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

template <class In, class Size, class Function>
In for_each_n(const System& system, In first, Size n, Function f) {
    auto from = raw(first);
    auto body = [&] {
        for (Size i = 0; i < n; ++i, ++from) f(*from);
    };
    system.run(body, first);
    return first + n;
}
template <class In, class Function>
In for_each(const System& system, In first, In last, Function f) {
    return for_each_n(system, first, last - first, f);
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

LEETK_THRUST(for_each, (class In, class Function), (In first, In last, Function f),
             (first, last, f))
LEETK_THRUST(for_each_n, (class In, class Size, class Function),
             (In first, Size n, Function f), (first, n, f))

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
