// cub::DeviceMergeSort: sorts by a comparison. All are stable here.
#ifndef LEETK_CUB_DEVICE_MERGE_SORT_CUH
#define LEETK_CUB_DEVICE_MERGE_SORT_CUH
#pragma GCC system_header

#include <utility>

#include "cub/leetk/buffer.h"
#include "cub/leetk/device_call.h"
#include "cub/leetk/fold.h"
#include "cub/leetk/merge_sort.h"

namespace cub {

struct DeviceMergeSort {
    template <class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class Count,
              class Compare>
    static cudaError_t SortPairsCopy(void* d_temp_storage, size_t& temp_storage_bytes,
                                     KeysIn d_input_keys, ValuesIn d_input_items,
                                     KeysOut d_output_keys, ValuesOut d_output_items,
                                     Count num_items, Compare compare_op, LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceMergeSort::SortPairs", here, stream, d_temp_storage,
                               temp_storage_bytes};
        using Item = std::pair<leetk::ValueOf<KeysIn>, leetk::ValueOf<ValuesIn>>;
        auto body = [=]() mutable {
            leetk::Buffer<Item> items{size_t(num_items)};
            for (Count i = 0; i < num_items; ++i) items.push(d_input_keys[i], d_input_items[i]);
            auto before = [&](Item& a, Item& b) { return compare_op(a.first, b.first); };
            leetk::merge_sort(items.data(), items.size(), before);
            for (Count i = 0; i < num_items; ++i) {
                d_output_keys[i] = items[size_t(i)].first;
                d_output_items[i] = items[size_t(i)].second;
            }
        };
        return call.run(512 + sizeof(Item) * size_t(num_items), body, d_input_keys, d_input_items,
                        d_output_keys, d_output_items);
    }
    template <class Keys, class Values, class Count, class Compare>
    static cudaError_t SortPairs(void* d_temp_storage, size_t& temp_storage_bytes, Keys d_keys,
                                 Values d_items, Count num_items, Compare compare_op,
                                 LEETK_CUB_DEVICE) {
        return SortPairsCopy(d_temp_storage, temp_storage_bytes, d_keys, d_items, d_keys, d_items,
                             num_items, compare_op, stream, here);
    }
    template <class Keys, class Values, class Count, class Compare>
    static cudaError_t StableSortPairs(void* d_temp_storage, size_t& temp_storage_bytes,
                                       Keys d_keys, Values d_items, Count num_items,
                                       Compare compare_op, LEETK_CUB_DEVICE) {
        return SortPairsCopy(d_temp_storage, temp_storage_bytes, d_keys, d_items, d_keys, d_items,
                             num_items, compare_op, stream, here);
    }

    template <class KeysIn, class KeysOut, class Count, class Compare>
    static cudaError_t SortKeysCopy(void* d_temp_storage, size_t& temp_storage_bytes,
                                    KeysIn d_input_keys, KeysOut d_output_keys, Count num_items,
                                    Compare compare_op, LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceMergeSort::SortKeys", here, stream, d_temp_storage,
                               temp_storage_bytes};
        using Key = leetk::ValueOf<KeysIn>;
        auto body = [=]() mutable {
            leetk::Buffer<Key> keys{size_t(num_items)};
            for (Count i = 0; i < num_items; ++i) keys.push(d_input_keys[i]);
            leetk::merge_sort(keys.data(), keys.size(), compare_op);
            for (Count i = 0; i < num_items; ++i) d_output_keys[i] = keys[size_t(i)];
        };
        return call.run(512 + sizeof(Key) * size_t(num_items), body, d_input_keys, d_output_keys);
    }
    template <class KeysIn, class KeysOut, class Count, class Compare>
    static cudaError_t StableSortKeysCopy(void* d_temp_storage, size_t& temp_storage_bytes,
                                          KeysIn d_input_keys, KeysOut d_output_keys,
                                          Count num_items, Compare compare_op, LEETK_CUB_DEVICE) {
        return SortKeysCopy(d_temp_storage, temp_storage_bytes, d_input_keys, d_output_keys,
                            num_items, compare_op, stream, here);
    }
    template <class Keys, class Count, class Compare>
    static cudaError_t SortKeys(void* d_temp_storage, size_t& temp_storage_bytes, Keys d_keys,
                                Count num_items, Compare compare_op, LEETK_CUB_DEVICE) {
        return SortKeysCopy(d_temp_storage, temp_storage_bytes, d_keys, d_keys, num_items,
                            compare_op, stream, here);
    }
    template <class Keys, class Count, class Compare>
    static cudaError_t StableSortKeys(void* d_temp_storage, size_t& temp_storage_bytes, Keys d_keys,
                                      Count num_items, Compare compare_op, LEETK_CUB_DEVICE) {
        return SortKeysCopy(d_temp_storage, temp_storage_bytes, d_keys, d_keys, num_items,
                            compare_op, stream, here);
    }
};

}  // namespace cub

#endif
