// Scans of one thread's array. They return the array's total, `prefix` included.
#ifndef LEETK_CUB_THREAD_SCAN_CUH
#define LEETK_CUB_THREAD_SCAN_CUH
#pragma GCC system_header

#include "cub/thread/thread_operators.cuh"

namespace cub {
namespace internal {

template <int LENGTH, class T, class Op>
T ThreadScanExclusive(const T (&input)[LENGTH], T (&output)[LENGTH], Op op, T prefix,
                      bool apply_prefix = true) {
    T sum = input[0];
    if (apply_prefix) {
        sum = op(prefix, input[0]);
        output[0] = prefix;
    }
    for (int i = 1; i < LENGTH; ++i) {
        T item = input[i];
        output[i] = sum;
        sum = op(sum, item);
    }
    return sum;
}

template <int LENGTH, class T, class Op>
T ThreadScanInclusive(const T (&input)[LENGTH], T (&output)[LENGTH], Op op, T prefix,
                      bool apply_prefix = true) {
    T sum = input[0];
    if (apply_prefix) sum = op(prefix, sum);
    output[0] = sum;
    for (int i = 1; i < LENGTH; ++i) output[i] = sum = op(sum, input[i]);
    return sum;
}

template <int LENGTH, class T, class Op>
T ThreadScanInclusive(const T (&input)[LENGTH], T (&output)[LENGTH], Op op) {
    return ThreadScanInclusive(input, output, op, input[0], false);
}

}  // namespace internal

using internal::ThreadScanExclusive;
using internal::ThreadScanInclusive;

}  // namespace cub

#endif
