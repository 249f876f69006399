// Reductions and scans of a sequence. As on a device, sums of many floats are added up in tiles,
// not one by one, and operators need only be associative.
#ifndef LEETK_CUB_FOLD_H
#define LEETK_CUB_FOLD_H
#pragma GCC system_header

#include <type_traits>

#include "cub/leetk/buffer.h"
#include "cub/leetk/std_iterator.h"
#include "cub/util_type.cuh"

namespace leetk {

constexpr long long fold_run = 32;    // added up one by one
constexpr long long scan_tile = 256;  // scanned one by one

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
    if (count > fold_run) {
        long long left = (count / 2 + fold_run - 1) / fold_run * fold_run;
        T a = fold<T>(in, begin, left, op);
        T b = fold<T>(in, begin + left, count - left, op);
        return op(a, b);
    }
    T sum = T(in[begin]);
    for (long long i = begin + 1; i < begin + count; ++i) sum = op(sum, T(in[i]));
    return sum;
}

// The sum of all tiles so far, for which no more than log2(tiles) additions follow each other:
// `sums` holds those of runs of tiles, whose lengths are the powers of two in the number of tiles.
template <class T, class Op>
class Carry {
public:
    explicit Carry(Op& with) : op(with) {}

    void add(const T& tile) {
        sums.push(tile);
        for (unsigned long long n = ++tiles; n % 2 == 0; n /= 2) {
            T last = sums[sums.size() - 1];
            sums.pop();
            T& before = sums[sums.size() - 1];
            before = op(before, last);
        }
    }
    // Of `initial`, where there is one, and the tiles, if there are any; false if neither is.
    bool total(const T* initial, T& sum) const {
        if (initial) sum = *initial;
        bool any = initial != nullptr;
        for (const T& part : sums) {
            sum = any ? T(op(sum, part)) : part;
            any = true;
        }
        return any;
    }

private:
    Op& op;
    Buffer<T> sums{64};
    unsigned long long tiles = 0;
};

// Scans [0, count). `initial` may be null only for an inclusive scan. In place is fine.
template <class T, class In, class Out, class Op>
void scan(In in, Out out, long long count, Op& op, const T* initial, bool inclusive) {
    if (count == 0) return;
    Carry<T, Op> carry(op);
    for (long long begin = 0; begin < count; begin += scan_tile) {
        long long end = begin + scan_tile < count ? begin + scan_tile : count;
        T sum = T(in[begin]);
        T before_tile = sum;
        bool carries = carry.total(initial, before_tile);
        T first = !inclusive ? before_tile : carries ? T(op(before_tile, sum)) : sum;
        out[begin] = first;
        for (long long i = begin + 1; i < end; ++i) {
            T item = T(in[i]);
            T before = sum;
            sum = op(sum, item);
            const T& local = inclusive ? sum : before;
            out[i] = carries ? T(op(before_tile, local)) : local;
        }
        carry.add(sum);
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
