// thrust::reverse, reverse_copy.
#ifndef LEETK_THRUST_REVERSE_H
#define LEETK_THRUST_REVERSE_H
#pragma GCC system_header

#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

template <class In>
void reverse(const System& system, In first, In last) {
    auto items = raw(first);
    ptrdiff_t count = last - first;
    auto body = [&] {
        for (ptrdiff_t i = 0, j = count - 1; i < j; ++i, --j) {
            ValueType<In> item = items[i];
            items[i] = ValueType<In>(items[j]);
            items[j] = item;
        }
    };
    system.run(body, first);
}
template <class In, class Out>
Out reverse_copy(const System& system, In first, In last, Out result) {
    auto from = raw(first);
    auto to = raw(result);
    ptrdiff_t count = last - first;
    auto body = [&] {
        for (ptrdiff_t i = 0; i < count; ++i) to[i] = from[count - 1 - i];
    };
    system.run(body, first, result);
    return result + count;
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

LEETK_THRUST(reverse, (class In), (In first, In last), (first, last))
LEETK_THRUST(reverse_copy, (class In, class Out), (In first, In last, Out result),
             (first, last, result))

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
