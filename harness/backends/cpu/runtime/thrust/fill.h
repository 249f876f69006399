// thrust::fill, fill_n.
#ifndef LEETK_THRUST_FILL_H
#define LEETK_THRUST_FILL_H
#pragma GCC system_header

#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

template <class Out, class T>
void fill(const System& system, Out first, Out last, const T& value) {
    auto to = raw(first);
    ptrdiff_t count = last - first;
    auto body = [&] {
        for (ptrdiff_t i = 0; i < count; ++i) to[i] = value;
    };
    system.run(body, first);
}

template <class Out, class Size, class T>
Out fill_n(const System& system, Out first, Size n, const T& value) {
    fill(system, first, first + n, value);
    return first + n;
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

LEETK_THRUST(fill, (class Out, class T), (Out first, Out last, const T& value),
             (first, last, value))
LEETK_THRUST(fill_n, (class Out, class Size, class T), (Out first, Size n, const T& value),
             (first, n, value))

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
