// thrust::swap, swap_ranges.
#ifndef LEETK_THRUST_SWAP_H
#define LEETK_THRUST_SWAP_H
#pragma GCC system_header

#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

template <class A, class B>
B swap_ranges(const System& system, A first, A last, B other) {
    auto count = last - first;
    auto a = raw(first);
    auto b = raw(other);
    auto body = [&] {
        for (decltype(count) i = 0; i < count; ++i) {
            ValueType<A> value = a[i];
            a[i] = b[i];
            b[i] = value;
        }
    };
    system.run(body, first, other);
    return other + count;
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

using std::swap;
LEETK_THRUST(swap_ranges, (class A, class B), (A first1, A last1, B first2),
             (first1, last1, first2))

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
