// thrust::unique, unique_copy, unique_by_key, unique_count.
#ifndef LEETK_THRUST_UNIQUE_H
#define LEETK_THRUST_UNIQUE_H
#pragma GCC system_header

#include <utility>

#include "cuda/leetk/operators.h"
#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

template <class In, class Out, class Equal>
Out unique_copy(const System& system, In first, In last, Out result, Equal equal) {
    auto from = raw(first);
    auto to = raw(result);
    ptrdiff_t count = last - first, made = 0;
    auto body = [&] {
        if (count == 0) return;
        ValueType<In> before = from[0];
        to[made++] = before;
        for (ptrdiff_t i = 1; i < count; ++i) {
            ValueType<In> item = from[i];
            if (!equal(before, item)) to[made++] = item;
            before = item;
        }
    };
    system.run(body, first, result);
    return result + made;
}
template <class In, class Out>
Out unique_copy(const System& system, In first, In last, Out result) {
    return unique_copy(system, first, last, result, std::equal_to<>{});
}
template <class In, class Equal = std::equal_to<>>
In unique(const System& system, In first, In last, Equal equal = {}) {
    return unique_copy(system, first, last, first, equal);
}
template <class In, class Equal = std::equal_to<>>
ptrdiff_t unique_count(const System& system, In first, In last, Equal equal = {}) {
    auto from = raw(first);
    ptrdiff_t count = last - first, found = count > 0 ? 1 : 0;
    auto body = [&] {
        for (ptrdiff_t i = 1; i < count; ++i) found += equal(from[i - 1], from[i]) ? 0 : 1;
    };
    system.run(body, first);
    return found;
}

template <class Keys, class Values, class KeysOut, class ValuesOut, class Equal = std::equal_to<>>
std::pair<KeysOut, ValuesOut> unique_by_key_copy(const System& system, Keys keys_first,
                                                 Keys keys_last, Values values_first,
                                                 KeysOut keys_result, ValuesOut values_result,
                                                 Equal equal = {}) {
    auto keys = raw(keys_first);
    auto values = raw(values_first);
    auto keys_to = raw(keys_result);
    auto values_to = raw(values_result);
    ptrdiff_t count = keys_last - keys_first, made = 0;
    using Key = ValueType<Keys>;
    auto body = [&] {
        for (ptrdiff_t begin = 0, end; begin < count; begin = end) {
            Key key = keys[begin], last = key;
            for (end = begin + 1; end < count; ++end) {
                Key next = keys[end];
                if (!equal(last, next)) break;
                last = next;
            }
            values_to[made] = ValueType<Values>(values[begin]);
            keys_to[made++] = key;
        }
    };
    system.run(body, keys_first, values_first, keys_result, values_result);
    return {keys_result + made, values_result + made};
}
template <class Keys, class Values, class Equal = std::equal_to<>>
std::pair<Keys, Values> unique_by_key(const System& system, Keys keys_first, Keys keys_last,
                                      Values values_first, Equal equal = {}) {
    return unique_by_key_copy(system, keys_first, keys_last, values_first, keys_first, values_first,
                              equal);
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

LEETK_THRUST(unique, (class In), (In first, In last), (first, last))
LEETK_THRUST(unique, (class In, class Equal), (In first, In last, Equal equal),
             (first, last, equal))
LEETK_THRUST(unique_copy, (class In, class Out), (In first, In last, Out result),
             (first, last, result))
LEETK_THRUST(unique_copy, (class In, class Out, class Equal),
             (In first, In last, Out result, Equal equal), (first, last, result, equal))
LEETK_THRUST(unique_count, (class In), (In first, In last), (first, last))
LEETK_THRUST(unique_count, (class In, class Equal), (In first, In last, Equal equal),
             (first, last, equal))
LEETK_THRUST(unique_by_key, (class Keys, class Values),
             (Keys keys_first, Keys keys_last, Values values_first),
             (keys_first, keys_last, values_first))
LEETK_THRUST(unique_by_key, (class Keys, class Values, class Equal),
             (Keys keys_first, Keys keys_last, Values values_first, Equal equal),
             (keys_first, keys_last, values_first, equal))
LEETK_THRUST(unique_by_key_copy, (class Keys, class Values, class KeysOut, class ValuesOut),
             (Keys keys_first, Keys keys_last, Values values_first, KeysOut keys_result,
              ValuesOut values_result),
             (keys_first, keys_last, values_first, keys_result, values_result))
LEETK_THRUST(unique_by_key_copy,
             (class Keys, class Values, class KeysOut, class ValuesOut, class Equal),
             (Keys keys_first, Keys keys_last, Values values_first, KeysOut keys_result,
              ValuesOut values_result, Equal equal),
             (keys_first, keys_last, values_first, keys_result, values_result, equal))

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
