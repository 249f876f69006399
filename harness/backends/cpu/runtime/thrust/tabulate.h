// thrust::tabulate: the function of each index.
#ifndef LEETK_THRUST_TABULATE_H
#define LEETK_THRUST_TABULATE_H
#pragma GCC system_header

#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

template <class Out, class Op>
void tabulate(const System& system, Out first, Out last, Op op) {
    auto to = raw(first);
    ptrdiff_t count = last - first;
    auto body = [&] {
        for (ptrdiff_t i = 0; i < count; ++i) to[i] = op(i);
    };
    system.run(body, first);
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

LEETK_THRUST(tabulate, (class Out, class Op), (Out first, Out last, Op op), (first, last, op))

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
