// thrust::adjacent_difference. In place is fine.
#ifndef LEETK_THRUST_ADJACENT_DIFFERENCE_H
#define LEETK_THRUST_ADJACENT_DIFFERENCE_H
#pragma GCC system_header

#include "cuda/leetk/operators.h"
#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

template <class In, class Out, class Op = std::minus<>>
Out adjacent_difference(const System& system, In first, In last, Out result, Op op = {}) {
    auto from = raw(first);
    auto to = raw(result);
    ptrdiff_t count = last - first;
    auto body = [&] {
        for (ptrdiff_t i = count - 1; i > 0; --i) to[i] = op(from[i], from[i - 1]);
        if (count > 0) to[0] = ValueType<In>(from[0]);
    };
    system.run(body, first, result);
    return result + count;
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

LEETK_THRUST(adjacent_difference, (class In, class Out), (In first, In last, Out result),
             (first, last, result))
LEETK_THRUST(adjacent_difference, (class In, class Out, class Op),
             (In first, In last, Out result, Op op), (first, last, result, op))

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
