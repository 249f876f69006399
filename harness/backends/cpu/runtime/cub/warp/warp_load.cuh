// cub::WarpLoad.
#ifndef LEETK_CUB_WARP_LOAD_CUH
#define LEETK_CUB_WARP_LOAD_CUH
#pragma GCC system_header

#include "cub/block/block_load.cuh"
#include "cub/warp/warp_exchange.cuh"

namespace cub {

enum WarpLoadAlgorithm {
    WARP_LOAD_DIRECT,
    WARP_LOAD_STRIPED,
    WARP_LOAD_VECTORIZE,
    WARP_LOAD_TRANSPOSE,
};

template <class T, int ITEMS_PER_THREAD, WarpLoadAlgorithm ALGORITHM = WARP_LOAD_DIRECT,
          int LOGICAL_WARP_THREADS = 32, int LEGACY_PTX_ARCH = 0>
class WarpLoad {
    using Items = T (&)[ITEMS_PER_THREAD];

public:
    // The lanes of a warp read what they have waited for: nothing lies here.
    struct TempStorage {};

    WarpLoad() = default;
    WarpLoad(TempStorage&) {}

    template <class Iterator>
    void Load(Iterator from, Items items) {
        load(from, items);
    }
    template <class Iterator>
    void Load(Iterator from, Items items, int valid_items) {
        load(from, items, valid_items);
    }
    template <class Iterator, class Default>
    void Load(Iterator from, Items items, int valid_items, Default oob_default) {
        load(from, items, valid_items, oob_default);
    }

private:
    template <class Iterator, class... Rest>
    void load(Iterator from, Items items, Rest... rest) {
        int lane = leetk::linear_thread() % 32 % LOGICAL_WARP_THREADS;
        if constexpr (ALGORITHM == WARP_LOAD_STRIPED) {
            LoadDirectStriped<LOGICAL_WARP_THREADS>(lane, from, items, rest...);
        } else {
            LoadDirectBlocked(lane, from, items, rest...);
        }
    }
};

}  // namespace cub

#endif
