// thrust::set_union, set_intersection, set_difference, set_symmetric_difference, of sorted
// sequences.
#ifndef LEETK_THRUST_SET_OPERATIONS_H
#define LEETK_THRUST_SET_OPERATIONS_H
#pragma GCC system_header

#include "cuda/leetk/operators.h"
#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

// Which of the two sequences' items a set operation keeps: those of the first alone, of the second
// alone, of both (the first's item is taken).
struct Keeps {
    bool first, second, both;
};

template <class In1, class In2, class Out, class Op>
Out set_operation(const System& system, Keeps keeps, In1 first1, In1 last1, In2 first2, In2 last2,
                  Out result, Op op) {
    auto a = raw(first1);
    auto b = raw(first2);
    auto to = raw(result);
    ptrdiff_t m = last1 - first1, n = last2 - first2, made = 0;
    auto body = [&] {
        for (ptrdiff_t i = 0, j = 0; i < m || j < n;) {
            bool takes_first = j == n || (i < m && op(a[i], b[j]));
            bool takes_second = !takes_first && (i == m || op(b[j], a[i]));
            if (takes_second) {
                if (keeps.second) to[made++] = b[j];
                ++j;
            } else {
                if (takes_first ? keeps.first : keeps.both) to[made++] = a[i];
                ++i;
                if (!takes_first) ++j;
            }
        }
    };
    system.run(body, first1, first2, result);
    return result + made;
}

#define LEETK_SET_OPERATION(name, first, second, both)                                        \
    template <class In1, class In2, class Out, class Op = std::less<>>                        \
    Out name(const System& system, In1 first1, In1 last1, In2 first2, In2 last2, Out result,  \
             Op op = {}) {                                                                    \
        return set_operation(system, Keeps{first, second, both}, first1, last1, first2,       \
                             last2, result, op);                                              \
    }
LEETK_SET_OPERATION(set_union, true, true, true)
LEETK_SET_OPERATION(set_intersection, false, false, true)
LEETK_SET_OPERATION(set_difference, true, false, false)
LEETK_SET_OPERATION(set_symmetric_difference, true, true, false)
#undef LEETK_SET_OPERATION

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

#define LEETK_SET_OPERATION(name)                                                             \
    LEETK_THRUST(name, (class In1, class In2, class Out),                                     \
                 (In1 first1, In1 last1, In2 first2, In2 last2, Out result),                  \
                 (first1, last1, first2, last2, result))                                      \
    LEETK_THRUST(name, (class In1, class In2, class Out, class Op),                           \
                 (In1 first1, In1 last1, In2 first2, In2 last2, Out result, Op comp),         \
                 (first1, last1, first2, last2, result, comp))
LEETK_SET_OPERATION(set_union)
LEETK_SET_OPERATION(set_intersection)
LEETK_SET_OPERATION(set_difference)
LEETK_SET_OPERATION(set_symmetric_difference)
#undef LEETK_SET_OPERATION

}  // namespace thrust

#include "thrust/execution_policy.h"
#include "thrust/leetk/around.h"

#endif
