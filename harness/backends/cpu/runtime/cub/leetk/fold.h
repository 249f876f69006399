// Reductions and scans of a sequence. As on a device, sums of many floats are added up in tiles,
// not one by one, and operators need only be associative.
#ifndef LEETK_CUB_FOLD_H
#define LEETK_CUB_FOLD_H
#pragma GCC system_header

#include <iterator>
#include <type_traits>

#include "cub/util_type.cuh"

namespace leetk {

constexpr long long fold_tile = 256;

template <class Iterator>
using ValueOf = typename std::iterator_traits<Iterator>::value_type;

// The type of an output's elements; that of the input where the output doesn't say.
template <class Out, class Otherwise>
struct OutputOf {
    using Value = ValueOf<Out>;
    using type = std::conditional_t<std::is_void_v<Value>, Otherwise, Value>;
};

// What CUB accumulates in: what the operator gives for an initial value and an element.
template <class Op, class Initial, class Value>
using AccumulatorOf = std::decay_t<std::invoke_result_t<Op&, const Initial&, const Value&>>;

// Of `count` > 0 elements.
template <class T, class In, class Op>
T fold(In in, long long begin, long long count, Op& op) {
    if (count > fold_tile) {
        long long left = (count / 2 + fold_tile - 1) / fold_tile * fold_tile;
        T a = fold<T>(in, begin, left, op);
        T b = fold<T>(in, begin + left, count - left, op);
        return op(a, b);
    }
    T sum = T(in[begin]);
    for (long long i = begin + 1; i < begin + count; ++i) sum = op(sum, T(in[i]));
    return sum;
}

// Scans [0, count). `initial` may be null only for an inclusive scan. In place is fine.
template <class T, class In, class Out, class Op>
void scan(In in, Out out, long long count, Op& op, const T* initial, bool inclusive) {
    if (count == 0) return;
    T carry = initial ? *initial : T(in[0]);
    bool carries = initial != nullptr;
    for (long long begin = 0; begin < count; begin += fold_tile) {
        long long end = begin + fold_tile < count ? begin + fold_tile : count;
        T sum = T(in[begin]);
        T first = carries && inclusive ? T(op(carry, sum)) : inclusive ? sum : carry;
        out[begin] = first;
        for (long long i = begin + 1; i < end; ++i) {
            T item = T(in[i]);
            T before = sum;
            sum = op(sum, item);
            const T& local = inclusive ? sum : before;
            out[i] = carries ? T(op(carry, local)) : local;
        }
        carry = carries ? T(op(carry, sum)) : sum;
        carries = true;
    }
}

// The same within each run of equal keys.
template <class T, class Keys, class In, class Out, class Op, class Equal>
void scan_by_key(Keys keys, In in, Out out, long long count, Op& op, Equal& equal,
                 const T* initial, bool inclusive) {
    if (count == 0) return;
    T sum = T(in[0]);
    out[0] = inclusive ? sum : *initial;
    auto key = ValueOf<Keys>(keys[0]);
    if (!inclusive) sum = op(*initial, sum);
    for (long long i = 1; i < count; ++i) {
        auto next = ValueOf<Keys>(keys[i]);
        T item = T(in[i]);
        bool same = equal(key, next);
        key = next;
        if (inclusive) {
            sum = same ? T(op(sum, item)) : item;
            out[i] = sum;
        } else {
            T before = same ? sum : *initial;
            out[i] = before;
            sum = op(before, item);
        }
    }
}

}  // namespace leetk

#endif
