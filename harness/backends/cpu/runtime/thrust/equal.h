// thrust::equal.
#ifndef LEETK_THRUST_EQUAL_H
#define LEETK_THRUST_EQUAL_H
#pragma GCC system_header

#include "thrust/leetk/system.h"
#include "thrust/mismatch.h"

namespace leetk {
namespace algorithms {

template <class In1, class In2, class Equal = std::equal_to<>>
bool equal(const System& system, In1 first, In1 last, In2 second, Equal same = {}) {
    return mismatch(system, first, last, second, same).first == last;
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

LEETK_THRUST(equal, (class In1, class In2), (In1 first1, In1 last1, In2 first2),
             (first1, last1, first2))
LEETK_THRUST(equal, (class In1, class In2, class Equal),
             (In1 first1, In1 last1, In2 first2, Equal same), (first1, last1, first2, same))

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
