// cub::DeviceSegmentedSort.
//
// Stable. The result of a sort of double buffers is in Current().
#ifndef LEETK_CUB_DEVICE_SEGMENTED_SORT_CUH
#define LEETK_CUB_DEVICE_SEGMENTED_SORT_CUH
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
        LEETK_CUB_DEVICE) {                                                                        \
        leetk::DeviceCall call{"cub::DeviceSegmentedSort::" #pairs, here, stream,                  \
                               d_temp_storage, temp_storage_bytes};                                \
        leetk::RadixOrder<KeyT> order(0, int(sizeof(KeyT)) * 8, descending);                       \
        auto arrays = leetk::sort_arrays(d_keys_in, d_keys_out, d_values_in, d_values_out);        \
        return leetk::sort_segments(call, arrays, order, num_items, num_segments,                  \
                                    d_begin_offsets, d_end_offsets, true);                         \
    }                                                                                              \
    template <class KeyT, class ValueT, class Begins, class Ends>                                  \
    static cudaError_t pairs(void* d_temp_storage, size_t& temp_storage_bytes,                     \
        DoubleBuffer<KeyT>& d_keys, DoubleBuffer<ValueT>& d_values,                                \
        long long num_items, long long num_segments,                                               \
        Begins d_begin_offsets, Ends d_end_offsets,                                                \
        LEETK_CUB_DEVICE) {                                                                        \
        leetk::DeviceCall call{"cub::DeviceSegmentedSort::" #pairs, here, stream,                  \
                               d_temp_storage, temp_storage_bytes};                                \
        leetk::RadixOrder<KeyT> order(0, int(sizeof(KeyT)) * 8, descending);                       \
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
        LEETK_CUB_DEVICE) {                                                                        \
        leetk::DeviceCall call{"cub::DeviceSegmentedSort::" #keys, here, stream,                   \
                               d_temp_storage, temp_storage_bytes};                                \
        leetk::RadixOrder<KeyT> order(0, int(sizeof(KeyT)) * 8, descending);                       \
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
        LEETK_CUB_DEVICE) {                                                                        \
        leetk::DeviceCall call{"cub::DeviceSegmentedSort::" #keys, here, stream,                   \
                               d_temp_storage, temp_storage_bytes};                                \
        leetk::RadixOrder<KeyT> order(0, int(sizeof(KeyT)) * 8, descending);                       \
        DoubleBuffer<NullType> d_values;                                                           \
        auto arrays = leetk::sort_arrays(d_keys, d_values);                                        \
        cudaError_t error =                                                                        \
            leetk::sort_segments(call, arrays, order, num_items, num_segments,                     \
                                 d_begin_offsets, d_end_offsets, false);                           \
        return leetk::switched(error, d_temp_storage, d_keys, d_values);                           \
    }

struct DeviceSegmentedSort {
    LEETK_CUB_SORTS(SortPairs, SortKeys, false)
    LEETK_CUB_SORTS(SortPairsDescending, SortKeysDescending, true)
    LEETK_CUB_SORTS(StableSortPairs, StableSortKeys, false)
    LEETK_CUB_SORTS(StableSortPairsDescending, StableSortKeysDescending, true)
};

#undef LEETK_CUB_SORTS

}  // namespace cub

#endif
