// thrust::replace, replace_if, replace_copy, replace_copy_if.
#ifndef LEETK_THRUST_REPLACE_H
#define LEETK_THRUST_REPLACE_H
#pragma GCC system_header

#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

template <class In, class Stencil, class Out, class Predicate, class T>
Out replace_copy_if(const System& system, In first, In last, Stencil stencil, Out result,
                    Predicate pred, const T& value) {
    auto from = raw(first);
    auto flags = raw(stencil);
    auto to = raw(result);
    ptrdiff_t count = last - first;
    auto body = [&] {
        for (ptrdiff_t i = 0; i < count; ++i) {
            bool replaced = pred(flags[i]);
            if (replaced) {
                to[i] = value;
            } else {
                to[i] = ValueType<In>(from[i]);
            }
        }
    };
    system.run(body, first, stencil, result);
    return result + count;
}
template <class In, class Out, class Predicate, class T>
Out replace_copy_if(const System& system, In first, In last, Out result, Predicate pred,
                    const T& value) {
    return replace_copy_if(system, first, last, first, result, pred, value);
}
template <class In, class Out, class T>
Out replace_copy(const System& system, In first, In last, Out result, const T& old_value,
                 const T& new_value) {
    auto same = [&](const auto& item) { return item == old_value; };
    return replace_copy_if(system, first, last, first, result, same, new_value);
}
template <class In, class Predicate, class T>
void replace_if(const System& system, In first, In last, Predicate pred, const T& value) {
    replace_copy_if(system, first, last, first, first, pred, value);
}
template <class In, class Stencil, class Predicate, class T>
void replace_if(const System& system, In first, In last, Stencil stencil, Predicate pred,
                const T& value) {
    replace_copy_if(system, first, last, stencil, first, pred, value);
}
template <class In, class T>
void replace(const System& system, In first, In last, const T& old_value, const T& new_value) {
    replace_copy(system, first, last, first, old_value, new_value);
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

LEETK_THRUST(replace, (class In, class T),
             (In first, In last, const T& old_value, const T& new_value),
             (first, last, old_value, new_value))
LEETK_THRUST(replace_if, (class In, class Predicate, class T),
             (In first, In last, Predicate pred, const T& new_value),
             (first, last, pred, new_value))
LEETK_THRUST(replace_if, (class In, class Stencil, class Predicate, class T),
             (In first, In last, Stencil stencil, Predicate pred, const T& new_value),
             (first, last, stencil, pred, new_value))
LEETK_THRUST(replace_copy, (class In, class Out, class T),
             (In first, In last, Out result, const T& old_value, const T& new_value),
             (first, last, result, old_value, new_value))
LEETK_THRUST(replace_copy_if, (class In, class Out, class Predicate, class T),
             (In first, In last, Out result, Predicate pred, const T& new_value),
             (first, last, result, pred, new_value))
LEETK_THRUST(replace_copy_if, (class In, class Stencil, class Out, class Predicate, class T),
             (In first, In last, Stencil stencil, Out result, Predicate pred,
              const T& new_value),
             (first, last, stencil, result, pred, new_value))

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
