// cub::WarpStore.
#ifndef LEETK_CUB_WARP_STORE_CUH
#define LEETK_CUB_WARP_STORE_CUH
#pragma GCC system_header

#include "cub/block/block_store.cuh"
#include "cub/warp/warp_exchange.cuh"

namespace cub {

enum WarpStoreAlgorithm {
    WARP_STORE_DIRECT,
    WARP_STORE_STRIPED,
    WARP_STORE_VECTORIZE,
    WARP_STORE_TRANSPOSE,
};

template <class T, int ITEMS_PER_THREAD, WarpStoreAlgorithm ALGORITHM = WARP_STORE_DIRECT,
          int LOGICAL_WARP_THREADS = 32, int LEGACY_PTX_ARCH = 0>
class WarpStore {
    using Items = T (&)[ITEMS_PER_THREAD];

public:
    struct TempStorage {};

    WarpStore() = default;
    WarpStore(TempStorage&) {}

    template <class Iterator>
    void Store(Iterator to, Items items) {
        constexpr bool vectors = ALGORITHM == WARP_STORE_VECTORIZE && std::is_same_v<Iterator, T*>;
        if constexpr (vectors) {
            StoreDirectBlockedVectorized(lane(), to, items);
        } else {
            store(to, items);
        }
    }
    template <class Iterator>
    void Store(Iterator to, Items items, int valid_items) {
        store(to, items, valid_items);
    }

private:
    static int lane() { return leetk::linear_thread() % 32 % LOGICAL_WARP_THREADS; }

    template <class Iterator, class... Rest>
    void store(Iterator to, Items items, Rest... rest) {
        if constexpr (ALGORITHM == WARP_STORE_STRIPED) {
            StoreDirectStriped<LOGICAL_WARP_THREADS>(lane(), to, items, rest...);
        } else {
            StoreDirectBlocked(lane(), to, items, rest...);
        }
    }
};

}  // namespace cub

#endif
