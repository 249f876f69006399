// cub::BlockRadixSort: stable, by the key's bits [begin_bit, end_bit).
//
// The TempStorage holds what CUB exchanges last: the values, or the keys where there are no values.
// Custom key types, which need a decomposer, are not there.
#ifndef LEETK_CUB_BLOCK_RADIX_SORT_CUH
#define LEETK_CUB_BLOCK_RADIX_SORT_CUH
#pragma GCC system_header

#include "cub/block/block_exchange.cuh"
#include "cub/block/block_scan.cuh"
#include "cub/leetk/radix_key.h"

namespace cub {

template <class KeyT, int BLOCK_DIM_X, int ITEMS_PER_THREAD, class ValueT = NullType,
          int RADIX_BITS = 4, bool MEMOIZE_OUTER_SCAN = true,
          BlockScanAlgorithm INNER_SCAN_ALGORITHM = BLOCK_SCAN_WARP_SCANS,
          cudaSharedMemConfig SMEM_CONFIG = cudaSharedMemBankSizeFourByte, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockRadixSort {
    using Shape = leetk::BlockShape<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;
    static constexpr int M = ITEMS_PER_THREAD;
    static constexpr int tile = Shape::threads * M;
    static constexpr bool keys_only = std::is_same_v<ValueT, NullType>;
    static constexpr int all_bits = int(sizeof(KeyT)) * 8;
    using Keys = KeyT (&)[M];
    using Values = ValueT (&)[M];
    using Last = std::conditional_t<keys_only, KeyT, ValueT>;

    struct Frame {
        KeyT* keys;
        ValueT* values;
    };

public:
    // As large as what CUB exchanges through it.
    struct TempStorage {
        union {
            leetk::Slots<KeyT, tile> keys;
            leetk::Slots<Last, tile> last;
        };
    };

    BlockRadixSort(LEETK_CUB_HERE)
        : temp_storage(private_storage()), here(here), linear_tid(Shape::rank()) {}
    BlockRadixSort(TempStorage& storage, LEETK_CUB_HERE)
        : temp_storage(storage), here(here), linear_tid(Shape::rank()) {}

    void Sort(Keys keys, int begin_bit = 0, int end_bit = all_bits) {
        sort(keys, nullptr, begin_bit, end_bit, false, false);
    }
    void Sort(Keys keys, Values values, int begin_bit = 0, int end_bit = all_bits) {
        sort(keys, values, begin_bit, end_bit, false, false);
    }
    void SortDescending(Keys keys, int begin_bit = 0, int end_bit = all_bits) {
        sort(keys, nullptr, begin_bit, end_bit, true, false);
    }
    void SortDescending(Keys keys, Values values, int begin_bit = 0, int end_bit = all_bits) {
        sort(keys, values, begin_bit, end_bit, true, false);
    }
    void SortBlockedToStriped(Keys keys, int begin_bit = 0, int end_bit = all_bits) {
        sort(keys, nullptr, begin_bit, end_bit, false, true);
    }
    void SortBlockedToStriped(Keys keys, Values values, int begin_bit = 0,
                              int end_bit = all_bits) {
        sort(keys, values, begin_bit, end_bit, false, true);
    }
    void SortDescendingBlockedToStriped(Keys keys, int begin_bit = 0, int end_bit = all_bits) {
        sort(keys, nullptr, begin_bit, end_bit, true, true);
    }
    void SortDescendingBlockedToStriped(Keys keys, Values values, int begin_bit = 0,
                                        int end_bit = all_bits) {
        sort(keys, values, begin_bit, end_bit, true, true);
    }

private:
    TempStorage& temp_storage;
    leetk::Here here;
    int linear_tid;

    static TempStorage& private_storage() {
        __shared__ TempStorage storage;
        return storage;
    }

    void sort(KeyT* keys, ValueT* values, int begin, int end, bool descending, bool striped) {
        Frame frame{keys, values};
        if (linear_tid < Shape::threads) {
            for (int i = 0; i < M; ++i) temp_storage.last.spoil_one(linear_tid * M + i);
        }
        leetk::BlockMeeting meeting;
        leetk::RadixOrder<KeyT> order(begin, end, descending);
        meeting.attend(linear_tid, &frame, here, [&] { sort_all(meeting, order, striped); });
        if (linear_tid >= Shape::threads) return;
        for (int i = 0; i < M; ++i) {
            Last& last = temp_storage.last[place(linear_tid, i, striped)];
            if constexpr (keys_only) {
                keys[i] = last;
            } else if (values) {
                values[i] = last;
            }
        }
    }

    static int place(int thread, int item, bool striped) {
        return striped ? item * Shape::threads + thread : thread * M + item;
    }

    void sort_all(const leetk::BlockMeeting& meeting, const leetk::RadixOrder<KeyT>& order,
                  bool striped) {
        leetk::Buffer<std::pair<KeyT, int>> sorted(tile);
        for (int t = 0; t < Shape::threads; ++t) {
            Frame* frame = meeting.frame<Frame>(t);
            if (!frame) return;
            for (int i = 0; i < M; ++i) sorted.push(frame->keys[i], t * M + i);
        }
        leetk::radix_sort(sorted, order, leetk::FirstOf{});
        if constexpr (keys_only) {
            for (int at = 0; at < tile; ++at) temp_storage.last.put(at, sorted[size_t(at)].first);
        } else {
            put_values(meeting, sorted.data());
            for (int t = 0; t < Shape::threads; ++t) {
                for (int i = 0; i < M; ++i) {
                    meeting.frame<Frame>(t)->keys[i] = sorted[size_t(place(t, i, striped))].first;
                }
            }
        }
    }

    void put_values(const leetk::BlockMeeting& meeting, const std::pair<KeyT, int>* sorted) {
        if (!meeting.frame<Frame>(0)->values) return;
        for (int at = 0; at < tile; ++at) {
            int from = sorted[at].second;
            temp_storage.last.put(at, meeting.frame<Frame>(from / M)->values[from % M]);
        }
    }
};

}  // namespace cub

#endif
