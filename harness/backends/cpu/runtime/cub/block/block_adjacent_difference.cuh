// cub::BlockAdjacentDifference: difference_op(item, neighbour) for all items of a block.
#ifndef LEETK_CUB_BLOCK_ADJACENT_DIFFERENCE_CUH
#define LEETK_CUB_BLOCK_ADJACENT_DIFFERENCE_CUH
#pragma GCC system_header

#include "cub/leetk/block.h"

namespace cub {

template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1,
          int LEGACY_PTX_ARCH = 0>
class BlockAdjacentDifference {
    using Shape = leetk::BlockShape<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;
    static constexpr int endless = 0x7fffffff;

public:
    struct TempStorage {
        leetk::Slots<T, Shape::threads> first_items;
        leetk::Slots<T, Shape::threads> last_items;
    };

    BlockAdjacentDifference(LEETK_CUB_HERE)
        : temp_storage(private_storage()), here(here), linear_tid(Shape::rank()) {}
    BlockAdjacentDifference(TempStorage& storage, LEETK_CUB_HERE)
        : temp_storage(storage), here(here), linear_tid(Shape::rank()) {}

    // An item without a neighbour, or not valid, is copied.
    template <int N, class Out, class Op>
    void SubtractLeft(T (&input)[N], Out (&output)[N], Op difference_op) {
        left(input, output, difference_op, endless, nullptr);
    }
    template <int N, class Out, class Op>
    void SubtractLeft(T (&input)[N], Out (&output)[N], Op difference_op, T tile_predecessor_item) {
        left(input, output, difference_op, endless, &tile_predecessor_item);
    }
    template <int N, class Out, class Op>
    void SubtractLeftPartialTile(T (&input)[N], Out (&output)[N], Op difference_op,
                                 int valid_items) {
        left(input, output, difference_op, valid_items, nullptr);
    }
    template <int N, class Out, class Op>
    void SubtractLeftPartialTile(T (&input)[N], Out (&output)[N], Op difference_op, int valid_items,
                                 T tile_predecessor_item) {
        left(input, output, difference_op, valid_items, &tile_predecessor_item);
    }
    template <int N, class Out, class Op>
    void SubtractRight(T (&input)[N], Out (&output)[N], Op difference_op) {
        right(input, output, difference_op, endless, nullptr);
    }
    template <int N, class Out, class Op>
    void SubtractRight(T (&input)[N], Out (&output)[N], Op difference_op, T tile_successor_item) {
        right(input, output, difference_op, endless, &tile_successor_item);
    }
    template <int N, class Out, class Op>
    void SubtractRightPartialTile(T (&input)[N], Out (&output)[N], Op difference_op,
                                  int valid_items) {
        right(input, output, difference_op, valid_items, nullptr);
    }

private:
    TempStorage& temp_storage;
    leetk::Here here;
    int linear_tid;

    static TempStorage& private_storage() {
        __shared__ TempStorage storage;
        return storage;
    }

    template <int N>
    void share(T (&input)[N]) {
        if (linear_tid < Shape::threads) {
            temp_storage.first_items.put(linear_tid, input[0]);
            temp_storage.last_items.put(linear_tid, input[N - 1]);
        }
        leetk::block_barrier(here);
    }

    template <int N, class Out, class Op>
    void left(T (&input)[N], Out (&output)[N], Op& op, int valid, const T* before) {
        share(input);
        if (linear_tid > 0) before = &temp_storage.last_items[linear_tid - 1];
        for (int i = N - 1; i >= 0; --i) {
            const T* neighbour = i > 0 ? &input[i - 1] : before;
            bool counts = neighbour && linear_tid * N + i < valid;
            output[i] = counts ? Out(op(input[i], *neighbour)) : Out(input[i]);
        }
    }
    template <int N, class Out, class Op>
    void right(T (&input)[N], Out (&output)[N], Op& op, int valid, const T* after) {
        share(input);
        if (linear_tid < Shape::threads - 1) after = &temp_storage.first_items[linear_tid + 1];
        for (int i = 0; i < N; ++i) {
            const T* neighbour = i < N - 1 ? &input[i + 1] : after;
            bool counts = neighbour && linear_tid * N + i < valid - 1;
            output[i] = counts ? Out(op(input[i], *neighbour)) : Out(input[i]);
        }
    }
};

}  // namespace cub

#endif
