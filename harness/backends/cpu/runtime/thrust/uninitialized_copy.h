// thrust::uninitialized_copy, uninitialized_copy_n.
#ifndef LEETK_THRUST_UNINITIALIZED_COPY_H
#define LEETK_THRUST_UNINITIALIZED_COPY_H
#pragma GCC system_header

#include "thrust/copy.h"
#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

template <class In, class Out>
Out uninitialized_copy(const System& system, In first, In last, Out result) {
    return copy(system, first, last, result);
}
template <class In, class Size, class Out>
Out uninitialized_copy_n(const System& system, In first, Size n, Out result) {
    return copy_n(system, first, n, result);
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

LEETK_THRUST(uninitialized_copy, (class In, class Out), (In first, In last, Out result),
             (first, last, result))
LEETK_THRUST(uninitialized_copy_n, (class In, class Size, class Out),
             (In first, Size n, Out result), (first, n, result))

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
