// thrust::find, find_if, find_if_not.
#ifndef LEETK_THRUST_FIND_H
#define LEETK_THRUST_FIND_H
#pragma GCC system_header

#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

template <class In, class Predicate>
In find_if(const System& system, In first, In last, Predicate pred) {
    auto from = raw(first);
    ptrdiff_t count = last - first, found = 0;
    auto body = [&] {
        while (found < count && !pred(from[found])) ++found;
    };
    system.run(body, first);
    return first + found;
}
template <class In, class Predicate>
In find_if_not(const System& system, In first, In last, Predicate pred) {
    return find_if(system, first, last, [&](const auto& item) { return !pred(item); });
}
template <class In, class T>
In find(const System& system, In first, In last, const T& value) {
    return find_if(system, first, last, [&](const auto& item) { return item == value; });
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

LEETK_THRUST(find, (class In, class T), (In first, In last, const T& value), (first, last, value))
LEETK_THRUST(find_if, (class In, class Predicate), (In first, In last, Predicate pred),
             (first, last, pred))
LEETK_THRUST(find_if_not, (class In, class Predicate), (In first, In last, Predicate pred),
             (first, last, pred))

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
