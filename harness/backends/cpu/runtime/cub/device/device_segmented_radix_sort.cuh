// cub::DeviceSegmentedRadixSort.
//
// Stable, by the keys' bits [begin_bit, end_bit). The result of a sort of double buffers is in
// Current(). Sorts of custom key types, which need a decomposer, are not there.
#ifndef LEETK_CUB_DEVICE_SEGMENTED_RADIX_SORT_CUH
#define LEETK_CUB_DEVICE_SEGMENTED_RADIX_SORT_CUH
#pragma GCC system_header

#include "cub/leetk/sort_call.h"

namespace cub {

#define LEETK_CUB_SORTS(pairs, keys, descending)                                                   \
    template <class KeyT, class ValueT, class Begins, class Ends>                                  \
    static cudaError_t pairs(void* d_temp_storage, size_t& temp_storage_bytes,                     \
        const KeyT* d_keys_in, KeyT* d_keys_out,                                                   \
        const ValueT* d_values_in, ValueT* d_values_out,                                           \
        long long num_items, long long num_segments,                                               \
        Begins d_begin_offsets, Ends d_end_offsets,                                                \
        int begin_bit = 0, int end_bit = int(sizeof(KeyT)) * 8,                                    \
        LEETK_CUB_DEVICE) {                                                                        \
        leetk::DeviceCall call{"cub::DeviceSegmentedRadixSort::" #pairs, here, stream,             \
                               d_temp_storage, temp_storage_bytes};                                \
        leetk::RadixOrder<KeyT> order(begin_bit, end_bit, descending);                             \
        auto arrays = leetk::sort_arrays(d_keys_in, d_keys_out, d_values_in, d_values_out);        \
        return leetk::sort_segments(call, arrays, order, num_items, num_segments,                  \
                                    d_begin_offsets, d_end_offsets, true);                         \
    }                                                                                              \
    template <class KeyT, class ValueT, class Begins, class Ends>                                  \
    static cudaError_t pairs(void* d_temp_storage, size_t& temp_storage_bytes,                     \
        DoubleBuffer<KeyT>& d_keys, DoubleBuffer<ValueT>& d_values,                                \
        long long num_items, long long num_segments,                                               \
        Begins d_begin_offsets, Ends d_end_offsets,                                                \
        int begin_bit = 0, int end_bit = int(sizeof(KeyT)) * 8,                                    \
        LEETK_CUB_DEVICE) {                                                                        \
        leetk::DeviceCall call{"cub::DeviceSegmentedRadixSort::" #pairs, here, stream,             \
                               d_temp_storage, temp_storage_bytes};                                \
        leetk::RadixOrder<KeyT> order(begin_bit, end_bit, descending);                             \
        auto arrays = leetk::sort_arrays(d_keys, d_values);                                        \
        cudaError_t error =                                                                        \
            leetk::sort_segments(call, arrays, order, num_items, num_segments,                     \
                                 d_begin_offsets, d_end_offsets, false);                           \
        return leetk::switched(error, d_temp_storage, d_keys, d_values);                           \
    }                                                                                              \
    template <class KeyT, class Begins, class Ends>                                                \
    static cudaError_t keys(void* d_temp_storage, size_t& temp_storage_bytes,                      \
        const KeyT* d_keys_in, KeyT* d_keys_out,                                                   \
        long long num_items, long long num_segments,                                               \
        Begins d_begin_offsets, Ends d_end_offsets,                                                \
        int begin_bit = 0, int end_bit = int(sizeof(KeyT)) * 8,                                    \
        LEETK_CUB_DEVICE) {                                                                        \
        leetk::DeviceCall call{"cub::DeviceSegmentedRadixSort::" #keys, here, stream,              \
                               d_temp_storage, temp_storage_bytes};                                \
        leetk::RadixOrder<KeyT> order(begin_bit, end_bit, descending);                             \
        auto arrays = leetk::sort_arrays(d_keys_in, d_keys_out, leetk::no_values(),                \
                                         leetk::no_values());                                      \
        return leetk::sort_segments(call, arrays, order, num_items, num_segments,                  \
                                    d_begin_offsets, d_end_offsets, true);                         \
    }                                                                                              \
    template <class KeyT, class Begins, class Ends>                                                \
    static cudaError_t keys(void* d_temp_storage, size_t& temp_storage_bytes,                      \
        DoubleBuffer<KeyT>& d_keys,                                                                \
        long long num_items, long long num_segments,                                               \
        Begins d_begin_offsets, Ends d_end_offsets,                                                \
        int begin_bit = 0, int end_bit = int(sizeof(KeyT)) * 8,                                    \
        LEETK_CUB_DEVICE) {                                                                        \
        leetk::DeviceCall call{"cub::DeviceSegmentedRadixSort::" #keys, here, stream,              \
                               d_temp_storage, temp_storage_bytes};                                \
        leetk::RadixOrder<KeyT> order(begin_bit, end_bit, descending);                             \
        DoubleBuffer<NullType> d_values;                                                           \
        auto arrays = leetk::sort_arrays(d_keys, d_values);                                        \
        cudaError_t error =                                                                        \
            leetk::sort_segments(call, arrays, order, num_items, num_segments,                     \
                                 d_begin_offsets, d_end_offsets, false);                           \
        return leetk::switched(error, d_temp_storage, d_keys, d_values);                           \
    }

struct DeviceSegmentedRadixSort {
    LEETK_CUB_SORTS(SortPairs, SortKeys, false)
    LEETK_CUB_SORTS(SortPairsDescending, SortKeysDescending, true)
};

#undef LEETK_CUB_SORTS

}  // namespace cub

#endif
