// thrust::reduce, reduce_by_key.
#ifndef LEETK_THRUST_REDUCE_H
#define LEETK_THRUST_REDUCE_H
#pragma GCC system_header

#include <utility>

#include "cub/leetk/fold.h"
#include "cuda/leetk/operators.h"
#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

template <class In, class T, class Op>
T reduce(const System& system, In first, In last, T init, Op op) {
    auto from = raw(first);
    ptrdiff_t count = last - first;
    auto body = [&] {
        if (count > 0) init = op(init, fold<T>(from, 0, count, op));
    };
    system.run(body, first);
    return init;
}
template <class In, class T>
T reduce(const System& system, In first, In last, T init) {
    return reduce(system, first, last, init, std::plus<>{});
}
template <class In>
ValueType<In> reduce(const System& system, In first, In last) {
    return reduce(system, first, last, ValueType<In>{}, std::plus<>{});
}

template <class Keys, class Values, class KeysOut, class ValuesOut, class Equal, class Op>
std::pair<KeysOut, ValuesOut> reduce_by_key(const System& system, Keys keys_first, Keys keys_last,
                                            Values values_first, KeysOut keys_result,
                                            ValuesOut values_result, Equal equal, Op op) {
    auto keys = raw(keys_first);
    auto values = raw(values_first);
    auto keys_to = raw(keys_result);
    auto values_to = raw(values_result);
    ptrdiff_t count = keys_last - keys_first, made = 0;
    using Key = ValueType<Keys>;
    using Value = ValueType<Values>;
    auto body = [&] {
        for (ptrdiff_t begin = 0, end; begin < count; begin = end) {
            Key key = keys[begin], last = key;
            for (end = begin + 1; end < count; ++end) {
                Key next = keys[end];
                if (!equal(last, next)) break;
                last = next;
            }
            Value sum = fold<Value>(values, begin, end - begin, op);
            keys_to[made] = key;
            values_to[made++] = sum;
        }
    };
    system.run(body, keys_first, values_first, keys_result, values_result);
    return {keys_result + made, values_result + made};
}
template <class Keys, class Values, class KeysOut, class ValuesOut, class Equal>
auto reduce_by_key(const System& system, Keys keys_first, Keys keys_last, Values values_first,
                   KeysOut keys_result, ValuesOut values_result, Equal equal) {
    return reduce_by_key(system, keys_first, keys_last, values_first, keys_result, values_result,
                         equal, std::plus<>{});
}
template <class Keys, class Values, class KeysOut, class ValuesOut>
auto reduce_by_key(const System& system, Keys keys_first, Keys keys_last, Values values_first,
                   KeysOut keys_result, ValuesOut values_result) {
    return reduce_by_key(system, keys_first, keys_last, values_first, keys_result, values_result,
                         std::equal_to<>{}, std::plus<>{});
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

LEETK_THRUST(reduce, (class In), (In first, In last), (first, last))
LEETK_THRUST(reduce, (class In, class T), (In first, In last, T init), (first, last, init))
LEETK_THRUST(reduce, (class In, class T, class Op), (In first, In last, T init, Op op),
             (first, last, init, op))
LEETK_THRUST(reduce_by_key, (class Keys, class Values, class KeysOut, class ValuesOut),
             (Keys keys_first, Keys keys_last, Values values_first, KeysOut keys_output,
              ValuesOut values_output),
             (keys_first, keys_last, values_first, keys_output, values_output))
LEETK_THRUST(reduce_by_key,
             (class Keys, class Values, class KeysOut, class ValuesOut, class Equal),
             (Keys keys_first, Keys keys_last, Values values_first, KeysOut keys_output,
              ValuesOut values_output, Equal equal),
             (keys_first, keys_last, values_first, keys_output, values_output, equal))
LEETK_THRUST(reduce_by_key,
             (class Keys, class Values, class KeysOut, class ValuesOut, class Equal, class Op),
             (Keys keys_first, Keys keys_last, Values values_first, KeysOut keys_output,
              ValuesOut values_output, Equal equal, Op op),
             (keys_first, keys_last, values_first, keys_output, values_output, equal, op))

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
