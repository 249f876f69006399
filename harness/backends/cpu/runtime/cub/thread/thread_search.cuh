// Binary searches by one thread.
#ifndef LEETK_CUB_THREAD_SEARCH_CUH
#define LEETK_CUB_THREAD_SEARCH_CUH
#pragma GCC system_header

#include "cub/util_type.cuh"

namespace cub {

// The number of items before the first that is not less than `val`.
template <class Iterator, class OffsetT, class T>
OffsetT LowerBound(Iterator input, OffsetT num_items, T val) {
    OffsetT begin = 0;
    while (num_items > 0) {
        OffsetT half = num_items >> 1;
        if (input[begin + half] < val) {
            begin = begin + half + 1;
            num_items = num_items - half - 1;
        } else {
            num_items = half;
        }
    }
    return begin;
}

// The number of items before the first that is greater than `val`.
template <class Iterator, class OffsetT, class T>
OffsetT UpperBound(Iterator input, OffsetT num_items, T val) {
    OffsetT begin = 0;
    while (num_items > 0) {
        OffsetT half = num_items >> 1;
        if (val < input[begin + half]) {
            num_items = half;
        } else {
            begin = begin + half + 1;
            num_items = num_items - half - 1;
        }
    }
    return begin;
}

}  // namespace cub

#endif
