// cub::WarpExchange: rearranges the items of a (logical) warp's lanes.
#ifndef LEETK_CUB_WARP_EXCHANGE_CUH
#define LEETK_CUB_WARP_EXCHANGE_CUH
#pragma GCC system_header

#include "cub/leetk/block.h"
#include "cub/leetk/warp_meeting.h"

namespace cub {

enum WarpExchangeAlgorithm {
    WARP_EXCHANGE_SMEM,
    WARP_EXCHANGE_SHUFFLE,
};

template <class T, int ITEMS_PER_THREAD, int LOGICAL_WARP_THREADS = 32, int LEGACY_PTX_ARCH = 0,
          WarpExchangeAlgorithm WARP_EXCHANGE_ALGORITHM = WARP_EXCHANGE_SMEM>
class WarpExchange {
    static constexpr int M = ITEMS_PER_THREAD;

public:
    struct TempStorage {
        leetk::Slots<T, LOGICAL_WARP_THREADS * M> items;
    };

    explicit WarpExchange(TempStorage& storage, LEETK_CUB_HERE)
        : temp_storage(storage), here(here) {}

    template <class Out>
    void BlockedToStriped(const T (&input)[M], Out (&output)[M]) {
        for (int i = 0; i < M; ++i) temp_storage.items.put(blocked(i), input[i]);
        meeting.wait(here);
        for (int i = 0; i < M; ++i) output[i] = temp_storage.items[striped(i)];
    }
    template <class Out>
    void StripedToBlocked(const T (&input)[M], Out (&output)[M]) {
        for (int i = 0; i < M; ++i) temp_storage.items.put(striped(i), input[i]);
        meeting.wait(here);
        for (int i = 0; i < M; ++i) output[i] = temp_storage.items[blocked(i)];
    }
    template <class Rank>
    void ScatterToStriped(T (&items)[M], Rank (&ranks)[M]) {
        ScatterToStriped(items, items, ranks);
    }
    template <class Out, class Rank>
    void ScatterToStriped(const T (&input)[M], Out (&output)[M], Rank (&ranks)[M]) {
        for (int i = 0; i < M; ++i) temp_storage.items.put(int(ranks[i]), input[i]);
        meeting.wait(here);
        for (int i = 0; i < M; ++i) output[i] = temp_storage.items[striped(i)];
    }

private:
    TempStorage& temp_storage;
    leetk::Here here;
    leetk::WarpMeeting<LOGICAL_WARP_THREADS> meeting;

    int blocked(int i) const { return meeting.lane * M + i; }
    int striped(int i) const { return i * LOGICAL_WARP_THREADS + meeting.lane; }
};

}  // namespace cub

#endif
