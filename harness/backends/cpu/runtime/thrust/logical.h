// thrust::all_of, any_of, none_of.
#ifndef LEETK_THRUST_LOGICAL_H
#define LEETK_THRUST_LOGICAL_H
#pragma GCC system_header

#include "thrust/find.h"
#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

template <class In, class Predicate>
bool any_of(const System& system, In first, In last, Predicate pred) {
    return find_if(system, first, last, pred) != last;
}
template <class In, class Predicate>
bool none_of(const System& system, In first, In last, Predicate pred) {
    return find_if(system, first, last, pred) == last;
}
template <class In, class Predicate>
bool all_of(const System& system, In first, In last, Predicate pred) {
    return find_if_not(system, first, last, pred) == last;
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

LEETK_THRUST(all_of, (class In, class Predicate), (In first, In last, Predicate pred),
             (first, last, pred))
LEETK_THRUST(any_of, (class In, class Predicate), (In first, In last, Predicate pred),
             (first, last, pred))
LEETK_THRUST(none_of, (class In, class Predicate), (In first, In last, Predicate pred),
             (first, last, pred))

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
