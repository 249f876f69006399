// cub::WarpMergeSort: sorts the items of a (logical) warp by a comparison, stably.
#ifndef LEETK_CUB_WARP_MERGE_SORT_CUH
#define LEETK_CUB_WARP_MERGE_SORT_CUH
#pragma GCC system_header

#include "cub/leetk/block.h"
#include "cub/leetk/buffer.h"
#include "cub/leetk/merge_sort.h"
#include "cub/leetk/warp_meeting.h"
#include "cub/util_type.cuh"

namespace cub {

template <class KeyT, int ITEMS_PER_THREAD, int LOGICAL_WARP_THREADS = 32, class ValueT = NullType,
          int LEGACY_PTX_ARCH = 0>
class WarpMergeSort {
    static constexpr int M = ITEMS_PER_THREAD;
    static constexpr int tile = LOGICAL_WARP_THREADS * M;
    using Keys = KeyT (&)[M];
    using Values = ValueT (&)[M];

    struct Frame {
        KeyT* keys;
        ValueT* values;
    };
    struct Item {
        KeyT key;
        ValueT value;
    };

public:
    struct TempStorage {};

    WarpMergeSort(TempStorage&, LEETK_CUB_HERE) : here(here) {}

    template <class Compare>
    void Sort(Keys keys, Compare compare) {
        sort(keys, nullptr, compare, tile);
    }
    template <class Compare>
    void Sort(Keys keys, Compare compare, int valid_items, KeyT oob_default) {
        sort(keys, nullptr, compare, valid_items);
        fill(keys, valid_items, oob_default);
    }
    template <class Compare>
    void Sort(Keys keys, Values values, Compare compare) {
        sort(keys, values, compare, tile);
    }
    template <class Compare>
    void Sort(Keys keys, Values values, Compare compare, int valid_items, KeyT oob_default) {
        sort(keys, values, compare, valid_items);
        fill(keys, valid_items, oob_default);
    }
    template <class... Arguments>
    void StableSort(Keys keys, Arguments&&... arguments) {
        Sort(keys, static_cast<Arguments&&>(arguments)...);
    }

private:
    leetk::Here here;
    leetk::WarpMeeting<LOGICAL_WARP_THREADS> meeting;

    void fill(Keys keys, int valid, const KeyT& oob_default) {
        for (int i = 0; i < M; ++i) {
            if (meeting.lane * M + i >= valid) keys[i] = oob_default;
        }
    }

    template <class Compare>
    void sort(KeyT* keys, ValueT* values, Compare& compare, int valid) {
        Frame frame{keys, values};
        meeting.attend(&frame, here, [&] { sort_all(compare, valid); });
    }

    template <class Compare>
    void sort_all(Compare& compare, int valid) {
        leetk::Buffer<Item> items(tile);
        for (int lane = 0; lane < LOGICAL_WARP_THREADS; ++lane) {
            Frame* frame = meeting.template frame<Frame>(lane);
            if (!frame) return spoil_keys();
            for (int i = 0; i < M; ++i) {
                items.push(frame->keys[i], frame->values ? frame->values[i] : ValueT{});
            }
        }
        auto before = [&](Item& a, Item& b) { return compare(a.key, b.key); };
        leetk::merge_sort(items.data(), size_t(valid < tile ? valid : tile), before);
        for (int at = 0; at < tile; ++at) {
            Frame* frame = meeting.template frame<Frame>(at / M);
            frame->keys[at % M] = items[size_t(at)].key;
            if (frame->values) frame->values[at % M] = items[size_t(at)].value;
        }
    }

    void spoil_keys() {
        for (int lane = 0; lane < LOGICAL_WARP_THREADS; ++lane) {
            Frame* frame = meeting.template frame<Frame>(lane);
            for (int i = 0; frame && i < M; ++i) leetk::spoil(frame->keys[i]);
        }
    }
};

}  // namespace cub

#endif
