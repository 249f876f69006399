// cub::BlockExchange: rearranges the items of a block's threads, through its TempStorage.
//
// Arrangements, of item i of thread t, in a block of N threads with M items each: blocked t*M + i,
// striped i*N + t, warp-striped the same within each warp.
#ifndef LEETK_CUB_BLOCK_EXCHANGE_CUH
#define LEETK_CUB_BLOCK_EXCHANGE_CUH
#pragma GCC system_header

#include "cub/leetk/block.h"
#include "cub/leetk/warp_meeting.h"
#include "cub/util_type.cuh"

namespace cub {

template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD, bool WARP_TIME_SLICING = false,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockExchange {
    using Shape = leetk::BlockShape<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;
    static constexpr int M = ITEMS_PER_THREAD;

public:
    struct TempStorage {
        leetk::Slots<T, Shape::threads * M> items;
    };

    BlockExchange(LEETK_CUB_HERE)
        : temp_storage(private_storage()), here(here), linear_tid(Shape::rank()) {}
    BlockExchange(TempStorage& storage, LEETK_CUB_HERE)
        : temp_storage(storage), here(here), linear_tid(Shape::rank()) {}

    template <class Out>
    void StripedToBlocked(const T (&input)[M], Out (&output)[M]) {
        put(input, [&](int i) { return striped(i); });
        leetk::block_barrier(here);
        get(output, [&](int i) { return blocked(i); });
    }
    template <class Out>
    void BlockedToStriped(const T (&input)[M], Out (&output)[M]) {
        put(input, [&](int i) { return blocked(i); });
        leetk::block_barrier(here);
        get(output, [&](int i) { return striped(i); });
    }
    template <class Out>
    void WarpStripedToBlocked(const T (&input)[M], Out (&output)[M]) {
        put(input, [&](int i) { return warp_striped(i); });
        leetk::WarpMeeting<32>{}.wait(here);
        get(output, [&](int i) { return blocked(i); });
    }
    template <class Out>
    void BlockedToWarpStriped(const T (&input)[M], Out (&output)[M]) {
        put(input, [&](int i) { return blocked(i); });
        leetk::WarpMeeting<32>{}.wait(here);
        get(output, [&](int i) { return warp_striped(i); });
    }

    template <class Out, class Rank>
    void ScatterToBlocked(const T (&input)[M], Out (&output)[M], Rank (&ranks)[M]) {
        put(input, [&](int i) { return int(ranks[i]); });
        leetk::block_barrier(here);
        get(output, [&](int i) { return blocked(i); });
    }
    template <class Out, class Rank>
    void ScatterToStriped(const T (&input)[M], Out (&output)[M], Rank (&ranks)[M]) {
        put(input, [&](int i) { return int(ranks[i]); });
        leetk::block_barrier(here);
        get(output, [&](int i) { return striped(i); });
    }
    // Items with a negative rank, or without a flag, go nowhere.
    template <class Out, class Rank>
    void ScatterToStripedGuarded(const T (&input)[M], Out (&output)[M], Rank (&ranks)[M]) {
        bool valid[M];
        for (int i = 0; i < M; ++i) valid[i] = ranks[i] >= 0;
        ScatterToStripedFlagged(input, output, ranks, valid);
    }
    template <class Out, class Rank, class Flag>
    void ScatterToStripedFlagged(const T (&input)[M], Out (&output)[M], Rank (&ranks)[M],
                                 Flag (&is_valid)[M]) {
        for (int i = 0; i < M; ++i) {
            if (is_valid[i]) temp_storage.items.put(int(ranks[i]), input[i]);
        }
        leetk::block_barrier(here);
        get(output, [&](int i) { return striped(i); });
    }

    // The same in place.
    void StripedToBlocked(T (&items)[M]) { StripedToBlocked(items, items); }
    void BlockedToStriped(T (&items)[M]) { BlockedToStriped(items, items); }
    void WarpStripedToBlocked(T (&items)[M]) { WarpStripedToBlocked(items, items); }
    void BlockedToWarpStriped(T (&items)[M]) { BlockedToWarpStriped(items, items); }
    template <class Rank>
    void ScatterToBlocked(T (&items)[M], Rank (&ranks)[M]) {
        ScatterToBlocked(items, items, ranks);
    }
    template <class Rank>
    void ScatterToStriped(T (&items)[M], Rank (&ranks)[M]) {
        ScatterToStriped(items, items, ranks);
    }
    template <class Rank>
    void ScatterToStripedGuarded(T (&items)[M], Rank (&ranks)[M]) {
        ScatterToStripedGuarded(items, items, ranks);
    }
    template <class Rank, class Flag>
    void ScatterToStripedFlagged(T (&items)[M], Rank (&ranks)[M], Flag (&is_valid)[M]) {
        ScatterToStripedFlagged(items, items, ranks, is_valid);
    }

private:
    TempStorage& temp_storage;
    leetk::Here here;
    int linear_tid;

    static TempStorage& private_storage() {
        __shared__ TempStorage storage;
        return storage;
    }

    int blocked(int i) const { return linear_tid * M + i; }
    int striped(int i) const { return i * Shape::threads + linear_tid; }
    int warp_striped(int i) const {
        int first = linear_tid / 32 * 32;
        int lanes = Shape::threads - first < 32 ? Shape::threads - first : 32;
        return first * M + i * lanes + linear_tid % 32;
    }

    template <class Place>
    void put(const T (&input)[M], Place place) {
        for (int i = 0; i < M; ++i) temp_storage.items.put(place(i), input[i]);
    }
    template <class Out, class Place>
    void get(Out (&output)[M], Place place) {
        for (int i = 0; i < M; ++i) output[i] = temp_storage.items[place(i)];
    }
};

}  // namespace cub

#endif
