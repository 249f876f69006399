// thrust::uninitialized_fill, uninitialized_fill_n.
#ifndef LEETK_THRUST_UNINITIALIZED_FILL_H
#define LEETK_THRUST_UNINITIALIZED_FILL_H
#pragma GCC system_header

#include "thrust/fill.h"
#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

template <class Out, class T>
void uninitialized_fill(const System& system, Out first, Out last, const T& value) {
    fill(system, first, last, value);
}
template <class Out, class Size, class T>
Out uninitialized_fill_n(const System& system, Out first, Size n, const T& value) {
    return fill_n(system, first, n, value);
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

LEETK_THRUST(uninitialized_fill, (class Out, class T), (Out first, Out last, const T& value),
             (first, last, value))
LEETK_THRUST(uninitialized_fill_n, (class Out, class Size, class T),
             (Out first, Size n, const T& value), (first, n, value))

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
