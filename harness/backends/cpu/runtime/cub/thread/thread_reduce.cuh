// ThreadReduce: one thread's array to one value.
#ifndef LEETK_CUB_THREAD_REDUCE_CUH
#define LEETK_CUB_THREAD_REDUCE_CUH
#pragma GCC system_header

#include "cub/thread/thread_operators.cuh"

namespace cub {

template <int LENGTH, class T, class Op, class Prefix>
auto ThreadReduce(const T* input, Op op, Prefix prefix) {
    for (int i = 0; i < LENGTH; ++i) prefix = op(prefix, input[i]);
    return prefix;
}
template <int LENGTH, class T, class Op>
T ThreadReduce(const T* input, Op op) {
    T sum = input[0];
    for (int i = 1; i < LENGTH; ++i) sum = op(sum, input[i]);
    return sum;
}
template <int LENGTH, class T, class Op, class Prefix>
auto ThreadReduce(const T (&input)[LENGTH], Op op, Prefix prefix) {
    return ThreadReduce<LENGTH>(&input[0], op, prefix);
}
template <int LENGTH, class T, class Op>
T ThreadReduce(const T (&input)[LENGTH], Op op) {
    return ThreadReduce<LENGTH>(&input[0], op);
}

}  // namespace cub

#endif
