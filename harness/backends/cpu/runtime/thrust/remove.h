// thrust::remove, remove_if, remove_copy, remove_copy_if.
#ifndef LEETK_THRUST_REMOVE_H
#define LEETK_THRUST_REMOVE_H
#pragma GCC system_header

#include "thrust/copy.h"
#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

template <class In, class Stencil, class Out, class Predicate>
Out remove_copy_if(const System& system, In first, In last, Stencil stencil, Out result,
                   Predicate pred) {
    auto keep = [&](const auto& flag) { return !pred(flag); };
    return copy_if(system, first, last, stencil, result, keep);
}
template <class In, class Out, class Predicate>
Out remove_copy_if(const System& system, In first, In last, Out result, Predicate pred) {
    return remove_copy_if(system, first, last, first, result, pred);
}
template <class In, class Out, class T>
Out remove_copy(const System& system, In first, In last, Out result, const T& value) {
    return remove_copy_if(system, first, last, first, result,
                          [&](const auto& item) { return item == value; });
}
template <class In, class Predicate>
In remove_if(const System& system, In first, In last, Predicate pred) {
    return remove_copy_if(system, first, last, first, first, pred);
}
template <class In, class Stencil, class Predicate>
In remove_if(const System& system, In first, In last, Stencil stencil, Predicate pred) {
    return remove_copy_if(system, first, last, stencil, first, pred);
}
template <class In, class T>
In remove(const System& system, In first, In last, const T& value) {
    return remove_copy(system, first, last, first, value);
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

LEETK_THRUST(remove, (class In, class T), (In first, In last, const T& value),
             (first, last, value))
LEETK_THRUST(remove_if, (class In, class Predicate), (In first, In last, Predicate pred),
             (first, last, pred))
LEETK_THRUST(remove_if, (class In, class Stencil, class Predicate),
             (In first, In last, Stencil stencil, Predicate pred), (first, last, stencil, pred))
LEETK_THRUST(remove_copy, (class In, class Out, class T),
             (In first, In last, Out result, const T& value), (first, last, result, value))
LEETK_THRUST(remove_copy_if, (class In, class Out, class Predicate),
             (In first, In last, Out result, Predicate pred), (first, last, result, pred))
LEETK_THRUST(remove_copy_if, (class In, class Stencil, class Out, class Predicate),
             (In first, In last, Stencil stencil, Out result, Predicate pred),
             (first, last, stencil, result, pred))

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
