// thrust::inclusive_scan, exclusive_scan, and both by key. In place is fine.
#ifndef LEETK_THRUST_SCAN_H
#define LEETK_THRUST_SCAN_H
#pragma GCC system_header

#include "cub/leetk/fold.h"
#include "cuda/leetk/operators.h"
#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

template <class In, class Out, class Op>
Out inclusive_scan(const System& system, In first, In last, Out result, Op op) {
    auto from = raw(first);
    auto to = raw(result);
    ptrdiff_t count = last - first;
    using T = ValueType<In>;
    auto body = [&] { scan<T>(from, to, count, op, static_cast<const T*>(nullptr), true); };
    system.run(body, first, result);
    return result + count;
}
template <class In, class Out>
Out inclusive_scan(const System& system, In first, In last, Out result) {
    return inclusive_scan(system, first, last, result, std::plus<>{});
}
template <class In, class Out, class T, class Op>
Out inclusive_scan(const System& system, In first, In last, Out result, T init, Op op) {
    auto from = raw(first);
    auto to = raw(result);
    ptrdiff_t count = last - first;
    auto body = [&] { scan<T>(from, to, count, op, &init, true); };
    system.run(body, first, result);
    return result + count;
}

template <class In, class Out, class T, class Op>
Out exclusive_scan(const System& system, In first, In last, Out result, T init, Op op) {
    auto from = raw(first);
    auto to = raw(result);
    ptrdiff_t count = last - first;
    auto body = [&] { scan<T>(from, to, count, op, &init, false); };
    system.run(body, first, result);
    return result + count;
}
template <class In, class Out, class T>
Out exclusive_scan(const System& system, In first, In last, Out result, T init) {
    return exclusive_scan(system, first, last, result, init, std::plus<>{});
}
template <class In, class Out>
Out exclusive_scan(const System& system, In first, In last, Out result) {
    return exclusive_scan(system, first, last, result, ValueType<In>{}, std::plus<>{});
}

template <bool inclusive, class Keys, class In, class Out, class T, class Equal, class Op>
Out scan_runs(const System& system, Keys keys_first, Keys keys_last, In first, Out result, T init,
              Equal equal, Op op) {
    auto keys = raw(keys_first);
    auto from = raw(first);
    auto to = raw(result);
    ptrdiff_t count = keys_last - keys_first;
    auto body = [&] { scan_by_key<T>(keys, from, to, count, op, equal, &init, inclusive); };
    system.run(body, keys_first, first, result);
    return result + count;
}
template <class Keys, class In, class Out, class Equal = std::equal_to<>, class Op = std::plus<>>
Out inclusive_scan_by_key(const System& system, Keys keys_first, Keys keys_last, In first,
                          Out result, Equal equal = {}, Op op = {}) {
    return scan_runs<true>(system, keys_first, keys_last, first, result, ValueType<In>{}, equal,
                           op);
}
template <class Keys, class In, class Out, class T, class Equal = std::equal_to<>,
          class Op = std::plus<>>
Out exclusive_scan_by_key(const System& system, Keys keys_first, Keys keys_last, In first,
                          Out result, T init, Equal equal = {}, Op op = {}) {
    return scan_runs<false>(system, keys_first, keys_last, first, result, init, equal, op);
}
template <class Keys, class In, class Out>
Out exclusive_scan_by_key(const System& system, Keys keys_first, Keys keys_last, In first,
                          Out result) {
    return exclusive_scan_by_key(system, keys_first, keys_last, first, result, ValueType<In>{});
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

LEETK_THRUST(inclusive_scan, (class In, class Out), (In first, In last, Out result),
             (first, last, result))
LEETK_THRUST(inclusive_scan, (class In, class Out, class Op),
             (In first, In last, Out result, Op op), (first, last, result, op))
LEETK_THRUST(inclusive_scan, (class In, class Out, class T, class Op),
             (In first, In last, Out result, T init, Op op), (first, last, result, init, op))
LEETK_THRUST(exclusive_scan, (class In, class Out), (In first, In last, Out result),
             (first, last, result))
LEETK_THRUST(exclusive_scan, (class In, class Out, class T),
             (In first, In last, Out result, T init), (first, last, result, init))
LEETK_THRUST(exclusive_scan, (class In, class Out, class T, class Op),
             (In first, In last, Out result, T init, Op op), (first, last, result, init, op))

LEETK_THRUST(inclusive_scan_by_key, (class Keys, class In, class Out),
             (Keys first1, Keys last1, In first2, Out result), (first1, last1, first2, result))
LEETK_THRUST(inclusive_scan_by_key, (class Keys, class In, class Out, class Equal),
             (Keys first1, Keys last1, In first2, Out result, Equal equal),
             (first1, last1, first2, result, equal))
LEETK_THRUST(inclusive_scan_by_key, (class Keys, class In, class Out, class Equal, class Op),
             (Keys first1, Keys last1, In first2, Out result, Equal equal, Op op),
             (first1, last1, first2, result, equal, op))
LEETK_THRUST(exclusive_scan_by_key, (class Keys, class In, class Out),
             (Keys first1, Keys last1, In first2, Out result), (first1, last1, first2, result))
LEETK_THRUST(exclusive_scan_by_key, (class Keys, class In, class Out, class T),
             (Keys first1, Keys last1, In first2, Out result, T init),
             (first1, last1, first2, result, init))
LEETK_THRUST(exclusive_scan_by_key, (class Keys, class In, class Out, class T, class Equal),
             (Keys first1, Keys last1, In first2, Out result, T init, Equal equal),
             (first1, last1, first2, result, init, equal))
LEETK_THRUST(exclusive_scan_by_key,
             (class Keys, class In, class Out, class T, class Equal, class Op),
             (Keys first1, Keys last1, In first2, Out result, T init, Equal equal, Op op),
             (first1, last1, first2, result, init, equal, op))

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
