// thrust::mismatch.
#ifndef LEETK_THRUST_MISMATCH_H
#define LEETK_THRUST_MISMATCH_H
#pragma GCC system_header

#include <utility>

#include "cuda/leetk/operators.h"
#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

template <class In1, class In2, class Equal = std::equal_to<>>
std::pair<In1, In2> mismatch(const System& system, In1 first, In1 last, In2 second,
                             Equal equal = {}) {
    auto a = raw(first);
    auto b = raw(second);
    ptrdiff_t count = last - first, found = 0;
    auto body = [&] {
        while (found < count && equal(a[found], b[found])) ++found;
    };
    system.run(body, first, second);
    return {first + found, second + found};
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

LEETK_THRUST(mismatch, (class In1, class In2), (In1 first1, In1 last1, In2 first2),
             (first1, last1, first2))
LEETK_THRUST(mismatch, (class In1, class In2, class Equal),
             (In1 first1, In1 last1, In2 first2, Equal equal), (first1, last1, first2, equal))

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
