// cub::DeviceRadixSort.
//
// Stable, by the keys' bits [begin_bit, end_bit). The result of a sort of double buffers is in
// Current(). Sorts of custom key types, which need a decomposer, are not there.
#ifndef LEETK_CUB_DEVICE_RADIX_SORT_CUH
#define LEETK_CUB_DEVICE_RADIX_SORT_CUH
#pragma GCC system_header

#include "cub/leetk/sort_call.h"

namespace cub {

#define LEETK_CUB_SORTS(pairs, keys, descending)                                                   \
    template <class KeyT, class ValueT, class Count>                                               \
    static cudaError_t pairs(void* d_temp_storage, size_t& temp_storage_bytes,                     \
        const KeyT* d_keys_in, KeyT* d_keys_out,                                                   \
        const ValueT* d_values_in, ValueT* d_values_out,                                           \
        Count num_items,                                                                           \
        int begin_bit = 0, int end_bit = int(sizeof(KeyT)) * 8,                                    \
        LEETK_CUB_DEVICE) {                                                                        \
        leetk::DeviceCall call{"cub::DeviceRadixSort::" #pairs, here, stream,                      \
                               d_temp_storage, temp_storage_bytes};                                \
        leetk::RadixOrder<KeyT> order(begin_bit, end_bit, descending);                             \
        auto arrays = leetk::sort_arrays(d_keys_in, d_keys_out, d_values_in, d_values_out);        \
        return leetk::sort_whole(call, arrays, (long long)num_items, order, true);                 \
    }                                                                                              \
    template <class KeyT, class ValueT, class Count>                                               \
    static cudaError_t pairs(void* d_temp_storage, size_t& temp_storage_bytes,                     \
        DoubleBuffer<KeyT>& d_keys, DoubleBuffer<ValueT>& d_values,                                \
        Count num_items,                                                                           \
        int begin_bit = 0, int end_bit = int(sizeof(KeyT)) * 8,                                    \
        LEETK_CUB_DEVICE) {                                                                        \
        leetk::DeviceCall call{"cub::DeviceRadixSort::" #pairs, here, stream,                      \
                               d_temp_storage, temp_storage_bytes};                                \
        leetk::RadixOrder<KeyT> order(begin_bit, end_bit, descending);                             \
        auto arrays = leetk::sort_arrays(d_keys, d_values);                                        \
        cudaError_t error =                                                                        \
            leetk::sort_whole(call, arrays, (long long)num_items, order, false);                   \
        return leetk::switched(error, d_temp_storage, d_keys, d_values);                           \
    }                                                                                              \
    template <class KeyT, class Count>                                                             \
    static cudaError_t keys(void* d_temp_storage, size_t& temp_storage_bytes,                      \
        const KeyT* d_keys_in, KeyT* d_keys_out,                                                   \
        Count num_items,                                                                           \
        int begin_bit = 0, int end_bit = int(sizeof(KeyT)) * 8,                                    \
        LEETK_CUB_DEVICE) {                                                                        \
        leetk::DeviceCall call{"cub::DeviceRadixSort::" #keys, here, stream,                       \
                               d_temp_storage, temp_storage_bytes};                                \
        leetk::RadixOrder<KeyT> order(begin_bit, end_bit, descending);                             \
        auto arrays = leetk::sort_arrays(d_keys_in, d_keys_out, leetk::no_values(),                \
                                         leetk::no_values());                                      \
        return leetk::sort_whole(call, arrays, (long long)num_items, order, true);                 \
    }                                                                                              \
    template <class KeyT, class Count>                                                             \
    static cudaError_t keys(void* d_temp_storage, size_t& temp_storage_bytes,                      \
        DoubleBuffer<KeyT>& d_keys,                                                                \
        Count num_items,                                                                           \
        int begin_bit = 0, int end_bit = int(sizeof(KeyT)) * 8,                                    \
        LEETK_CUB_DEVICE) {                                                                        \
        leetk::DeviceCall call{"cub::DeviceRadixSort::" #keys, here, stream,                       \
                               d_temp_storage, temp_storage_bytes};                                \
        leetk::RadixOrder<KeyT> order(begin_bit, end_bit, descending);                             \
        DoubleBuffer<NullType> d_values;                                                           \
        auto arrays = leetk::sort_arrays(d_keys, d_values);                                        \
        cudaError_t error =                                                                        \
            leetk::sort_whole(call, arrays, (long long)num_items, order, false);                   \
        return leetk::switched(error, d_temp_storage, d_keys, d_values);                           \
    }

struct DeviceRadixSort {
    LEETK_CUB_SORTS(SortPairs, SortKeys, false)
    LEETK_CUB_SORTS(SortPairsDescending, SortKeysDescending, true)
};

#undef LEETK_CUB_SORTS

}  // namespace cub

#endif
