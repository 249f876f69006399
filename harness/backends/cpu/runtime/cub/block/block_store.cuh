// cub::BlockStore and the functions StoreDirect*.
#ifndef LEETK_CUB_BLOCK_STORE_CUH
#define LEETK_CUB_BLOCK_STORE_CUH
#pragma GCC system_header

#include <string.h>

#include "cub/block/block_exchange.cuh"
#include "cub/block/block_load.cuh"
#include "cub/leetk/vector_access.h"

namespace cub {

template <class T, int ITEMS_PER_THREAD, class Iterator>
void StoreDirectBlocked(int linear_tid, Iterator to, T (&items)[ITEMS_PER_THREAD]) {
    for (int i = 0; i < ITEMS_PER_THREAD; ++i) to[linear_tid * ITEMS_PER_THREAD + i] = items[i];
}
template <class T, int ITEMS_PER_THREAD, class Iterator>
void StoreDirectBlocked(int linear_tid, Iterator to, T (&items)[ITEMS_PER_THREAD],
                        int valid_items) {
    for (int i = 0; i < ITEMS_PER_THREAD; ++i) {
        int at = linear_tid * ITEMS_PER_THREAD + i;
        if (at < valid_items) to[at] = items[i];
    }
}

// In contrast to loads, the address must be aligned.
template <class T, int ITEMS_PER_THREAD>
void StoreDirectBlockedVectorized(int linear_tid, T* to, T (&items)[ITEMS_PER_THREAD]) {
    constexpr int width = leetk::vector_width<T>(ITEMS_PER_THREAD);
    if constexpr (std::is_trivially_copyable_v<T> && width > 1) {
        using Vector = leetk::VectorOf<T, width>;
        T* first = to + linear_tid * ITEMS_PER_THREAD;
        for (int i = 0; i < ITEMS_PER_THREAD; i += width) {
            Vector vector;
            memcpy(&vector, static_cast<const void*>(&items[i]), sizeof vector);
            *reinterpret_cast<Vector*>(first + i) = vector;
        }
    } else {
        StoreDirectBlocked(linear_tid, to, items);
    }
}

template <int BLOCK_THREADS, class T, int ITEMS_PER_THREAD, class Iterator>
void StoreDirectStriped(int linear_tid, Iterator to, T (&items)[ITEMS_PER_THREAD]) {
    for (int i = 0; i < ITEMS_PER_THREAD; ++i) to[linear_tid + i * BLOCK_THREADS] = items[i];
}
template <int BLOCK_THREADS, class T, int ITEMS_PER_THREAD, class Iterator>
void StoreDirectStriped(int linear_tid, Iterator to, T (&items)[ITEMS_PER_THREAD],
                        int valid_items) {
    for (int i = 0; i < ITEMS_PER_THREAD; ++i) {
        int at = linear_tid + i * BLOCK_THREADS;
        if (at < valid_items) to[at] = items[i];
    }
}

template <class T, int ITEMS_PER_THREAD, class Iterator>
void StoreDirectWarpStriped(int linear_tid, Iterator to, T (&items)[ITEMS_PER_THREAD]) {
    for (int i = 0; i < ITEMS_PER_THREAD; ++i) {
        to[detail::warp_striped_at<ITEMS_PER_THREAD>(linear_tid, i)] = items[i];
    }
}
template <class T, int ITEMS_PER_THREAD, class Iterator>
void StoreDirectWarpStriped(int linear_tid, Iterator to, T (&items)[ITEMS_PER_THREAD],
                            int valid_items) {
    for (int i = 0; i < ITEMS_PER_THREAD; ++i) {
        int at = detail::warp_striped_at<ITEMS_PER_THREAD>(linear_tid, i);
        if (at < valid_items) to[at] = items[i];
    }
}

enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED,
};

template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD,
          BlockStoreAlgorithm ALGORITHM = BLOCK_STORE_DIRECT, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockStore {
    using Shape = leetk::BlockShape<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;
    using Exchange =
        BlockExchange<T, BLOCK_DIM_X, ITEMS_PER_THREAD, false, BLOCK_DIM_Y, BLOCK_DIM_Z>;
    static constexpr bool transposes = ALGORITHM == BLOCK_STORE_TRANSPOSE;
    static constexpr bool warp_transposes = ALGORITHM == BLOCK_STORE_WARP_TRANSPOSE ||
                                            ALGORITHM == BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED;
    using Items = T (&)[ITEMS_PER_THREAD];

    template <bool used, class Unused = void>
    struct Storage {
        typename Exchange::TempStorage exchange;
    };
    template <class Unused>
    struct Storage<false, Unused> {};

public:
    struct TempStorage : Storage<transposes || warp_transposes> {};

    BlockStore(LEETK_CUB_HERE)
        : temp_storage(private_storage()), here(here), linear_tid(Shape::rank()) {}
    BlockStore(TempStorage& storage, LEETK_CUB_HERE)
        : temp_storage(storage), here(here), linear_tid(Shape::rank()) {}

    template <class Iterator>
    void Store(Iterator to, Items items) {
        constexpr bool vectors = ALGORITHM == BLOCK_STORE_VECTORIZE && std::is_same_v<Iterator, T*>;
        if constexpr (vectors) {
            StoreDirectBlockedVectorized(linear_tid, to, items);
        } else {
            store(to, items);
        }
    }
    template <class Iterator>
    void Store(Iterator to, Items items, int valid_items) {
        store(to, items, valid_items);
    }

private:
    TempStorage& temp_storage;
    leetk::Here here;
    int linear_tid;

    static TempStorage& private_storage() {
        __shared__ TempStorage storage;
        return storage;
    }

    template <class Iterator, class... Rest>
    void store(Iterator to, Items items, Rest... rest) {
        if constexpr (transposes) {
            Exchange(temp_storage.exchange, here).BlockedToStriped(items);
            StoreDirectStriped<Shape::threads>(linear_tid, to, items, rest...);
        } else if constexpr (warp_transposes) {
            Exchange(temp_storage.exchange, here).BlockedToWarpStriped(items);
            StoreDirectWarpStriped(linear_tid, to, items, rest...);
        } else if constexpr (ALGORITHM == BLOCK_STORE_STRIPED) {
            StoreDirectStriped<Shape::threads>(linear_tid, to, items, rest...);
        } else {
            StoreDirectBlocked(linear_tid, to, items, rest...);
        }
    }
};

}  // namespace cub

#endif
