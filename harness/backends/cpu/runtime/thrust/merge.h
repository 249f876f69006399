// thrust::merge, merge_by_key. Of equal keys the first sequence's come first.
#ifndef LEETK_THRUST_MERGE_H
#define LEETK_THRUST_MERGE_H
#pragma GCC system_header

#include <utility>

#include "cuda/leetk/operators.h"
#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

template <class In1, class In2, class Out, class Op>
Out merge(const System& system, In1 first1, In1 last1, In2 first2, In2 last2, Out result, Op op) {
    auto a = raw(first1);
    auto b = raw(first2);
    auto to = raw(result);
    ptrdiff_t m = last1 - first1, n = last2 - first2;
    auto body = [&] {
        for (ptrdiff_t i = 0, j = 0; i < m || j < n;) {
            bool second = i == m || (j < n && op(b[j], a[i]));
            ptrdiff_t at = i + j;
            if (second) {
                to[at] = b[j++];
            } else {
                to[at] = a[i++];
            }
        }
    };
    system.run(body, first1, first2, result);
    return result + (m + n);
}
template <class In1, class In2, class Out>
Out merge(const System& system, In1 first1, In1 last1, In2 first2, In2 last2, Out result) {
    return merge(system, first1, last1, first2, last2, result, std::less<>{});
}

template <class Keys1, class Keys2, class Values1, class Values2, class KeysOut, class ValuesOut,
          class Op = std::less<>>
std::pair<KeysOut, ValuesOut> merge_by_key(const System& system, Keys1 keys_first1,
                                           Keys1 keys_last1, Keys2 keys_first2, Keys2 keys_last2,
                                           Values1 values_first1, Values2 values_first2,
                                           KeysOut keys_result, ValuesOut values_result,
                                           Op op = {}) {
    auto a = raw(keys_first1);
    auto b = raw(keys_first2);
    auto a_values = raw(values_first1);
    auto b_values = raw(values_first2);
    auto keys_to = raw(keys_result);
    auto values_to = raw(values_result);
    ptrdiff_t m = keys_last1 - keys_first1, n = keys_last2 - keys_first2;
    auto body = [&] {
        for (ptrdiff_t i = 0, j = 0; i < m || j < n;) {
            bool second = i == m || (j < n && op(b[j], a[i]));
            ptrdiff_t at = i + j;
            if (second) {
                keys_to[at] = b[j];
                values_to[at] = b_values[j++];
            } else {
                keys_to[at] = a[i];
                values_to[at] = a_values[i++];
            }
        }
    };
    system.run(body, keys_first1, keys_first2, values_first1, values_first2, keys_result,
               values_result);
    return {keys_result + (m + n), values_result + (m + n)};
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

LEETK_THRUST(merge, (class In1, class In2, class Out),
             (In1 first1, In1 last1, In2 first2, In2 last2, Out result),
             (first1, last1, first2, last2, result))
LEETK_THRUST(merge, (class In1, class In2, class Out, class Op),
             (In1 first1, In1 last1, In2 first2, In2 last2, Out result, Op comp),
             (first1, last1, first2, last2, result, comp))
LEETK_THRUST(merge_by_key,
             (class Keys1, class Keys2, class Values1, class Values2, class KeysOut,
              class ValuesOut),
             (Keys1 keys_first1, Keys1 keys_last1, Keys2 keys_first2, Keys2 keys_last2,
              Values1 values_first1, Values2 values_first2, KeysOut keys_result,
              ValuesOut values_result),
             (keys_first1, keys_last1, keys_first2, keys_last2, values_first1, values_first2,
              keys_result, values_result))
LEETK_THRUST(merge_by_key,
             (class Keys1, class Keys2, class Values1, class Values2, class KeysOut,
              class ValuesOut, class Op),
             (Keys1 keys_first1, Keys1 keys_last1, Keys2 keys_first2, Keys2 keys_last2,
              Values1 values_first1, Values2 values_first2, KeysOut keys_result,
              ValuesOut values_result, Op comp),
             (keys_first1, keys_last1, keys_first2, keys_last2, values_first1, values_first2,
              keys_result, values_result, comp))

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
