// cub::BlockLoad and the functions LoadDirect*.
//
// Only the transposing algorithms use their TempStorage: a direct or vectorised load may share it
// with anything. Where a block loads fewer items than it has room for, the rest keep their values.
#ifndef LEETK_CUB_BLOCK_LOAD_CUH
#define LEETK_CUB_BLOCK_LOAD_CUH
#pragma GCC system_header

#include "cub/block/block_exchange.cuh"
#include "cub/iterator/cache_modified_input_iterator.cuh"

namespace cub {

template <class T, int ITEMS_PER_THREAD, class Iterator>
void LoadDirectBlocked(int linear_tid, Iterator from, T (&items)[ITEMS_PER_THREAD]) {
    for (int i = 0; i < ITEMS_PER_THREAD; ++i) items[i] = from[linear_tid * ITEMS_PER_THREAD + i];
}
template <class T, int ITEMS_PER_THREAD, class Iterator>
void LoadDirectBlocked(int linear_tid, Iterator from, T (&items)[ITEMS_PER_THREAD],
                       int valid_items) {
    for (int i = 0; i < ITEMS_PER_THREAD; ++i) {
        int at = linear_tid * ITEMS_PER_THREAD + i;
        if (at < valid_items) items[i] = from[at];
    }
}
template <class T, class Default, int ITEMS_PER_THREAD, class Iterator>
void LoadDirectBlocked(int linear_tid, Iterator from, T (&items)[ITEMS_PER_THREAD], int valid_items,
                       Default oob_default) {
    for (T& item : items) item = oob_default;
    LoadDirectBlocked(linear_tid, from, items, valid_items);
}

// CUB looks at the address, and loads item by item where it is not aligned.
template <class T, int ITEMS_PER_THREAD>
void LoadDirectBlockedVectorized(int linear_tid, T* from, T (&items)[ITEMS_PER_THREAD]) {
    LoadDirectBlocked(linear_tid, from, items);
}

template <int BLOCK_THREADS, class T, int ITEMS_PER_THREAD, class Iterator>
void LoadDirectStriped(int linear_tid, Iterator from, T (&items)[ITEMS_PER_THREAD]) {
    for (int i = 0; i < ITEMS_PER_THREAD; ++i) items[i] = from[linear_tid + i * BLOCK_THREADS];
}
template <int BLOCK_THREADS, class T, int ITEMS_PER_THREAD, class Iterator>
void LoadDirectStriped(int linear_tid, Iterator from, T (&items)[ITEMS_PER_THREAD],
                       int valid_items) {
    for (int i = 0; i < ITEMS_PER_THREAD; ++i) {
        int at = linear_tid + i * BLOCK_THREADS;
        if (at < valid_items) items[i] = from[at];
    }
}
template <int BLOCK_THREADS, class T, class Default, int ITEMS_PER_THREAD, class Iterator>
void LoadDirectStriped(int linear_tid, Iterator from, T (&items)[ITEMS_PER_THREAD], int valid_items,
                       Default oob_default) {
    for (T& item : items) item = oob_default;
    LoadDirectStriped<BLOCK_THREADS>(linear_tid, from, items, valid_items);
}

namespace detail {
template <int ITEMS_PER_THREAD>
int warp_striped_at(int linear_tid, int item) {
    int warp = linear_tid / 32;
    return warp * 32 * ITEMS_PER_THREAD + linear_tid % 32 + item * 32;
}
}  // namespace detail

template <class T, int ITEMS_PER_THREAD, class Iterator>
void LoadDirectWarpStriped(int linear_tid, Iterator from, T (&items)[ITEMS_PER_THREAD]) {
    for (int i = 0; i < ITEMS_PER_THREAD; ++i) {
        items[i] = from[detail::warp_striped_at<ITEMS_PER_THREAD>(linear_tid, i)];
    }
}
template <class T, int ITEMS_PER_THREAD, class Iterator>
void LoadDirectWarpStriped(int linear_tid, Iterator from, T (&items)[ITEMS_PER_THREAD],
                           int valid_items) {
    for (int i = 0; i < ITEMS_PER_THREAD; ++i) {
        int at = detail::warp_striped_at<ITEMS_PER_THREAD>(linear_tid, i);
        if (at < valid_items) items[i] = from[at];
    }
}
template <class T, class Default, int ITEMS_PER_THREAD, class Iterator>
void LoadDirectWarpStriped(int linear_tid, Iterator from, T (&items)[ITEMS_PER_THREAD],
                           int valid_items, Default oob_default) {
    for (T& item : items) item = oob_default;
    LoadDirectWarpStriped(linear_tid, from, items, valid_items);
}

enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED,
};

template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD,
          BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockLoad {
    using Shape = leetk::BlockShape<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;
    using Exchange =
        BlockExchange<T, BLOCK_DIM_X, ITEMS_PER_THREAD, false, BLOCK_DIM_Y, BLOCK_DIM_Z>;
    static constexpr bool transposes = ALGORITHM == BLOCK_LOAD_TRANSPOSE;
    static constexpr bool warp_transposes = ALGORITHM == BLOCK_LOAD_WARP_TRANSPOSE ||
                                            ALGORITHM == BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED;
    using Items = T (&)[ITEMS_PER_THREAD];

    template <bool used, class Unused = void>
    struct Storage {
        typename Exchange::TempStorage exchange;
    };
    template <class Unused>
    struct Storage<false, Unused> {};

public:
    struct TempStorage : Storage<transposes || warp_transposes> {};

    BlockLoad(LEETK_CUB_HERE)
        : temp_storage(private_storage()), here(here), linear_tid(Shape::rank()) {}
    BlockLoad(TempStorage& storage, LEETK_CUB_HERE)
        : temp_storage(storage), here(here), linear_tid(Shape::rank()) {}

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
    TempStorage& temp_storage;
    leetk::Here here;
    int linear_tid;

    static TempStorage& private_storage() {
        __shared__ TempStorage storage;
        return storage;
    }

    template <class Iterator, class... Rest>
    void load(Iterator from, Items items, Rest... rest) {
        if constexpr (transposes) {
            LoadDirectStriped<Shape::threads>(linear_tid, from, items, rest...);
            Exchange(temp_storage.exchange, here).StripedToBlocked(items);
        } else if constexpr (warp_transposes) {
            LoadDirectWarpStriped(linear_tid, from, items, rest...);
            Exchange(temp_storage.exchange, here).WarpStripedToBlocked(items);
        } else if constexpr (ALGORITHM == BLOCK_LOAD_STRIPED) {
            LoadDirectStriped<Shape::threads>(linear_tid, from, items, rest...);
        } else {
            LoadDirectBlocked(linear_tid, from, items, rest...);
        }
    }
};

}  // namespace cub

#endif
