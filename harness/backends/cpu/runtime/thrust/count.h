// thrust::count, count_if.
#ifndef LEETK_THRUST_COUNT_H
#define LEETK_THRUST_COUNT_H
#pragma GCC system_header

#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

template <class In, class Predicate>
DifferenceType<In> count_if(const System& system, In first, In last, Predicate pred) {
    auto from = raw(first);
    ptrdiff_t count = last - first;
    DifferenceType<In> found = 0;
    auto body = [&] {
        for (ptrdiff_t i = 0; i < count; ++i) found += pred(from[i]) ? 1 : 0;
    };
    system.run(body, first);
    return found;
}
template <class In, class T>
DifferenceType<In> count(const System& system, In first, In last, const T& value) {
    return count_if(system, first, last, [&](const auto& item) { return item == value; });
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

LEETK_THRUST(count, (class In, class T), (In first, In last, const T& value),
             (first, last, value))
LEETK_THRUST(count_if, (class In, class Predicate), (In first, In last, Predicate pred),
             (first, last, pred))

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
