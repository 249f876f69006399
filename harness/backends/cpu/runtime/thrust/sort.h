// thrust::sort, stable_sort, both by key, is_sorted. All are stable.
#ifndef LEETK_THRUST_SORT_H
#define LEETK_THRUST_SORT_H
#pragma GCC system_header

#include "cub/leetk/buffer.h"
#include "cub/leetk/merge_sort.h"
#include "cub/leetk/radix_key.h"
#include "cuda/leetk/operators.h"
#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

// Whether Op orders numbers upwards (1), downwards (-1) or in a way of its own (0).
template <class Op>
constexpr int direction = 0;
template <class T>
constexpr int direction<std::less<T>> = 1;
template <class T>
constexpr int direction<std::greater<T>> = -1;

// Numbers are sorted by their bits, as thrust does, anything else by comparisons.
template <class Item, class KeyOf, class Op>
void sort_items(Buffer<Item>& items, KeyOf key_of, Op& op) {
    using Key = std::decay_t<decltype(key_of(items[0]))>;
    if constexpr (direction<Op> != 0 && std::is_arithmetic_v<Key> && sizeof(Key) <= 8) {
        RadixOrder<Key> order(0, int(sizeof(Key)) * 8, direction<Op> < 0);
        radix_sort(items, order, key_of);
    } else {
        auto before = [&](Item& a, Item& b) { return op(key_of(a), key_of(b)); };
        merge_sort(items.data(), items.size(), before);
    }
}

template <class In, class Op>
void stable_sort(const System& system, In first, In last, Op op) {
    auto items = raw(first);
    ptrdiff_t count = last - first;
    auto body = [&] {
        Buffer<ValueType<In>> copies{size_t(count)};
        for (ptrdiff_t i = 0; i < count; ++i) copies.push(ValueType<In>(items[i]));
        sort_items(copies, Itself{}, op);
        for (ptrdiff_t i = 0; i < count; ++i) items[i] = copies[size_t(i)];
    };
    system.run(body, first);
}
template <class In>
void stable_sort(const System& system, In first, In last) {
    stable_sort(system, first, last, std::less<ValueType<In>>{});
}
template <class... A>
void sort(const System& system, const A&... arguments) {
    stable_sort(system, arguments...);
}

template <class Keys, class Values, class Op>
void stable_sort_by_key(const System& system, Keys keys_first, Keys keys_last, Values values_first,
                        Op op) {
    auto keys = raw(keys_first);
    auto values = raw(values_first);
    ptrdiff_t count = keys_last - keys_first;
    auto body = [&] {
        Buffer<std::pair<ValueType<Keys>, ValueType<Values>>> items{size_t(count)};
        for (ptrdiff_t i = 0; i < count; ++i) items.push(keys[i], values[i]);
        sort_items(items, FirstOf{}, op);
        for (ptrdiff_t i = 0; i < count; ++i) {
            keys[i] = items[size_t(i)].first;
            values[i] = items[size_t(i)].second;
        }
    };
    system.run(body, keys_first, values_first);
}
template <class Keys, class Values>
void stable_sort_by_key(const System& system, Keys keys_first, Keys keys_last,
                        Values values_first) {
    stable_sort_by_key(system, keys_first, keys_last, values_first, std::less<ValueType<Keys>>{});
}
template <class... A>
void sort_by_key(const System& system, const A&... arguments) {
    stable_sort_by_key(system, arguments...);
}

template <class In, class Op>
In is_sorted_until(const System& system, In first, In last, Op op) {
    auto items = raw(first);
    ptrdiff_t count = last - first, found = count;
    auto body = [&] {
        for (ptrdiff_t i = 1; i < count; ++i) {
            if (op(items[i], items[i - 1])) {
                found = i;
                return;
            }
        }
    };
    system.run(body, first);
    return first + found;
}
template <class In>
In is_sorted_until(const System& system, In first, In last) {
    return is_sorted_until(system, first, last, std::less<>{});
}
template <class In, class... A>
bool is_sorted(const System& system, In first, In last, const A&... op) {
    return is_sorted_until(system, first, last, op...) == last;
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

LEETK_THRUST(sort, (class In), (In first, In last), (first, last))
LEETK_THRUST(sort, (class In, class Op), (In first, In last, Op comp), (first, last, comp))
LEETK_THRUST(stable_sort, (class In), (In first, In last), (first, last))
LEETK_THRUST(stable_sort, (class In, class Op), (In first, In last, Op comp), (first, last, comp))
LEETK_THRUST(sort_by_key, (class Keys, class Values),
             (Keys keys_first, Keys keys_last, Values values_first),
             (keys_first, keys_last, values_first))
LEETK_THRUST(sort_by_key, (class Keys, class Values, class Op),
             (Keys keys_first, Keys keys_last, Values values_first, Op comp),
             (keys_first, keys_last, values_first, comp))
LEETK_THRUST(stable_sort_by_key, (class Keys, class Values),
             (Keys keys_first, Keys keys_last, Values values_first),
             (keys_first, keys_last, values_first))
LEETK_THRUST(stable_sort_by_key, (class Keys, class Values, class Op),
             (Keys keys_first, Keys keys_last, Values values_first, Op comp),
             (keys_first, keys_last, values_first, comp))
LEETK_THRUST(is_sorted, (class In), (In first, In last), (first, last))
LEETK_THRUST(is_sorted, (class In, class Op), (In first, In last, Op comp), (first, last, comp))
LEETK_THRUST(is_sorted_until, (class In), (In first, In last), (first, last))
LEETK_THRUST(is_sorted_until, (class In, class Op), (In first, In last, Op comp),
             (first, last, comp))

}  // namespace thrust

#include "thrust/execution_policy.h"
#include "thrust/leetk/around.h"
#include "thrust/reduce.h"
#include "thrust/sequence.h"

#endif
