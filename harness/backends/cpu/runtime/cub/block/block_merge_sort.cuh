// cub::BlockMergeSort: sorts a block's items by a comparison, stably.
//
// The TempStorage holds what CUB exchanges last: the values, or the keys where there are none.
#ifndef LEETK_CUB_BLOCK_MERGE_SORT_CUH
#define LEETK_CUB_BLOCK_MERGE_SORT_CUH
#pragma GCC system_header

#include "cub/leetk/block.h"
#include "cub/leetk/buffer.h"
#include "cub/leetk/merge_sort.h"
#include "cub/util_type.cuh"

namespace cub {

template <class KeyT, int BLOCK_DIM_X, int ITEMS_PER_THREAD, class ValueT = NullType,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1>
class BlockMergeSort {
    using Shape = leetk::BlockShape<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;
    static constexpr int M = ITEMS_PER_THREAD;
    static constexpr int tile = Shape::threads * M;
    static constexpr bool keys_only = std::is_same_v<ValueT, NullType>;
    using Keys = KeyT (&)[M];
    using Values = ValueT (&)[M];
    using Last = std::conditional_t<keys_only, KeyT, ValueT>;

    struct Frame {
        KeyT* keys;
        ValueT* values;
    };
    struct Item {
        KeyT key;
        int from;
    };

public:
    struct TempStorage {
        union {
            leetk::Slots<KeyT, tile> keys;
            leetk::Slots<Last, tile> last;
        };
    };

    BlockMergeSort(LEETK_CUB_HERE)
        : temp_storage(private_storage()), here(here), linear_tid(Shape::rank()) {}
    explicit BlockMergeSort(TempStorage& storage, LEETK_CUB_HERE)
        : temp_storage(storage), here(here), linear_tid(Shape::rank()) {}

    template <class Compare>
    void Sort(Keys keys, Compare compare) {
        sort(keys, nullptr, compare, tile);
    }
    // The first `valid_items` items; the rest become `oob_default`, which no item may come after.
    template <class Compare>
    void Sort(Keys keys, Compare compare, int valid_items, KeyT oob_default) {
        sort(keys, nullptr, compare, valid_items);
        for (int i = 0; i < M; ++i) {
            if (linear_tid * M + i >= valid_items) keys[i] = oob_default;
        }
    }
    template <class Compare>
    void Sort(Keys keys, Values values, Compare compare) {
        sort(keys, values, compare, tile);
    }
    template <class Compare>
    void Sort(Keys keys, Values values, Compare compare, int valid_items, KeyT oob_default) {
        sort(keys, values, compare, valid_items);
        for (int i = 0; i < M; ++i) {
            if (linear_tid * M + i >= valid_items) keys[i] = oob_default;
        }
    }
    template <class... Arguments>
    void StableSort(Keys keys, Arguments&&... arguments) {
        Sort(keys, static_cast<Arguments&&>(arguments)...);
    }

private:
    TempStorage& temp_storage;
    leetk::Here here;
    int linear_tid;

    static TempStorage& private_storage() {
        __shared__ TempStorage storage;
        return storage;
    }

    template <class Compare>
    void sort(KeyT* keys, ValueT* values, Compare& compare, int valid) {
        Frame frame{keys, values};
        if (linear_tid < Shape::threads) {
            for (int i = 0; i < M; ++i) temp_storage.last.spoil_one(linear_tid * M + i);
        }
        leetk::BlockMeeting meeting;
        meeting.attend(linear_tid, &frame, here, [&] { sort_all(meeting, compare, valid); });
        if (linear_tid >= Shape::threads) return;
        for (int i = 0; i < M; ++i) {
            Last& last = temp_storage.last[linear_tid * M + i];
            if constexpr (keys_only) {
                keys[i] = last;
            } else if (values) {
                values[i] = last;
            }
        }
    }

    template <class Compare>
    void sort_all(const leetk::BlockMeeting& meeting, Compare& compare, int valid) {
        leetk::Buffer<Item> items(tile);
        for (int t = 0; t < Shape::threads; ++t) {
            Frame* frame = meeting.frame<Frame>(t);
            if (!frame) return;
            for (int i = 0; i < M; ++i) items.push(frame->keys[i], t * M + i);
        }
        auto before = [&](Item& a, Item& b) { return compare(a.key, b.key); };
        leetk::merge_sort(items.data(), size_t(valid < tile ? valid : tile), before);
        for (int at = 0; at < tile; ++at) {
            Item& item = items[size_t(at)];
            if constexpr (keys_only) {
                temp_storage.last.put(at, item.key);
            } else {
                Frame* from = meeting.frame<Frame>(item.from / M);
                if (from->values) temp_storage.last.put(at, from->values[item.from % M]);
                meeting.frame<Frame>(at / M)->keys[at % M] = item.key;
            }
        }
    }
};

}  // namespace cub

#endif
