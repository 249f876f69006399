// Radix sorts of whole arrays and of segments, with and without values, for the device-wide sorts.
#ifndef LEETK_CUB_SORT_CALL_H
#define LEETK_CUB_SORT_CALL_H
#pragma GCC system_header

#include <utility>

#include "cub/leetk/device_call.h"
#include "cub/leetk/radix_key.h"
#include "cub/util_type.cuh"

namespace leetk {

// From keys_in to keys_out, and the same with values; without values ValueT is cub::NullType.
// Reads all before it writes.
template <class KeyT, class ValueT>
struct SortArrays {
    const KeyT* keys_in;
    KeyT* keys_out;
    const ValueT* values_in;
    ValueT* values_out;

    template <class Order>
    void sort(long long begin, long long end, const Order& order) const {
        size_t count = end > begin ? size_t(end - begin) : 0;
        if constexpr (std::is_same_v<ValueT, cub::NullType>) {
            Buffer<KeyT> items(count);
            for (long long i = begin; i < end; ++i) items.push(keys_in[i]);
            radix_sort(items, order, Itself{});
            for (const KeyT& item : items) keys_out[begin++] = item;
        } else {
            Buffer<std::pair<KeyT, ValueT>> items(count);
            for (long long i = begin; i < end; ++i) items.push(keys_in[i], values_in[i]);
            radix_sort(items, order, FirstOf{});
            for (const auto& item : items) {
                keys_out[begin] = item.first;
                values_out[begin++] = item.second;
            }
        }
    }
    static constexpr size_t item_bytes() {
        return sizeof(KeyT) + (std::is_same_v<ValueT, cub::NullType> ? 0 : sizeof(ValueT));
    }
};

template <class KeyT, class ValueT>
SortArrays<KeyT, ValueT> sort_arrays(const KeyT* keys_in, KeyT* keys_out, const ValueT* values_in,
                                     ValueT* values_out) {
    return {keys_in, keys_out, values_in, values_out};
}

// From the current buffers into the alternate ones.
template <class KeyT, class ValueT>
SortArrays<KeyT, ValueT> sort_arrays(cub::DoubleBuffer<KeyT>& keys,
                                     cub::DoubleBuffer<ValueT>& values) {
    return {keys.Current(), keys.Alternate(), values.Current(), values.Alternate()};
}

inline cub::NullType* no_values() { return nullptr; }

// `room`: whether the sort needs temporary storage for the items.
template <class Arrays, class Order>
cudaError_t sort_whole(const DeviceCall& call, const Arrays& arrays, long long count,
                       const Order& order, bool room) {
    size_t needed = 1024 + tile_storage(count) + (room ? Arrays::item_bytes() * size_t(count) : 0);
    auto body = [&] { arrays.sort(0, count, order); };
    return call.run(needed, body, arrays.keys_in, arrays.keys_out, arrays.values_in,
                    arrays.values_out);
}

template <class Arrays, class Order, class Begins, class Ends>
cudaError_t sort_segments(const DeviceCall& call, const Arrays& arrays, const Order& order,
                          long long count, long long segments, Begins begins, Ends ends,
                          bool room) {
    size_t needed = 1024 + tile_storage(count) + (room ? Arrays::item_bytes() * size_t(count) : 0);
    auto body = [&] {
        for (long long s = 0; s < segments; ++s) {
            arrays.sort((long long)begins[s], (long long)ends[s], order);
        }
    };
    return call.run(needed, body, arrays.keys_in, arrays.keys_out, arrays.values_in,
                    arrays.values_out);
}

// The result of a sort of double buffers is in what was the alternate one.
template <class KeyT, class ValueT>
cudaError_t switched(cudaError_t error, const void* temp_storage, cub::DoubleBuffer<KeyT>& keys,
                     cub::DoubleBuffer<ValueT>& values) {
    if (temp_storage && error == cudaSuccess) {
        keys.selector ^= 1;
        values.selector ^= 1;
    }
    return error;
}

}  // namespace leetk

#endif
