// cub::BlockDiscontinuity: flags the items of a block that differ from their neighbours.
//
// flag_op(a, b) tells whether item b differs from item a before it; it may take b's place in the
// block as a third parameter.
#ifndef LEETK_CUB_BLOCK_DISCONTINUITY_CUH
#define LEETK_CUB_BLOCK_DISCONTINUITY_CUH
#pragma GCC system_header

#include "cub/leetk/block.h"

namespace cub {

template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1,
          int LEGACY_PTX_ARCH = 0>
class BlockDiscontinuity {
    using Shape = leetk::BlockShape<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;

public:
    struct TempStorage {
        leetk::Slots<T, Shape::threads> first_items;
        leetk::Slots<T, Shape::threads> last_items;
    };

    BlockDiscontinuity(LEETK_CUB_HERE)
        : temp_storage(private_storage()), here(here), linear_tid(Shape::rank()) {}
    BlockDiscontinuity(TempStorage& storage, LEETK_CUB_HERE)
        : temp_storage(storage), here(here), linear_tid(Shape::rank()) {}

    // Without a neighbour an item is always flagged.
    template <int N, class Flag, class Op>
    void FlagHeads(Flag (&head_flags)[N], T (&input)[N], Op flag_op) {
        share(input);
        heads(head_flags, input, flag_op, nullptr);
    }
    template <int N, class Flag, class Op>
    void FlagHeads(Flag (&head_flags)[N], T (&input)[N], Op flag_op, T tile_predecessor_item) {
        share(input);
        heads(head_flags, input, flag_op, &tile_predecessor_item);
    }
    template <int N, class Flag, class Op>
    void FlagTails(Flag (&tail_flags)[N], T (&input)[N], Op flag_op) {
        share(input);
        tails(tail_flags, input, flag_op, nullptr);
    }
    template <int N, class Flag, class Op>
    void FlagTails(Flag (&tail_flags)[N], T (&input)[N], Op flag_op, T tile_successor_item) {
        share(input);
        tails(tail_flags, input, flag_op, &tile_successor_item);
    }
    template <int N, class Flag, class Op>
    void FlagHeadsAndTails(Flag (&head_flags)[N], Flag (&tail_flags)[N], T (&input)[N],
                           Op flag_op) {
        share(input);
        heads(head_flags, input, flag_op, nullptr);
        tails(tail_flags, input, flag_op, nullptr);
    }
    template <int N, class Flag, class Op>
    void FlagHeadsAndTails(Flag (&head_flags)[N], Flag (&tail_flags)[N], T tile_successor_item,
                           T (&input)[N], Op flag_op) {
        share(input);
        heads(head_flags, input, flag_op, nullptr);
        tails(tail_flags, input, flag_op, &tile_successor_item);
    }
    template <int N, class Flag, class Op>
    void FlagHeadsAndTails(Flag (&head_flags)[N], T tile_predecessor_item, Flag (&tail_flags)[N],
                           T (&input)[N], Op flag_op) {
        share(input);
        heads(head_flags, input, flag_op, &tile_predecessor_item);
        tails(tail_flags, input, flag_op, nullptr);
    }
    template <int N, class Flag, class Op>
    void FlagHeadsAndTails(Flag (&head_flags)[N], T tile_predecessor_item, Flag (&tail_flags)[N],
                           T tile_successor_item, T (&input)[N], Op flag_op) {
        share(input);
        heads(head_flags, input, flag_op, &tile_predecessor_item);
        tails(tail_flags, input, flag_op, &tile_successor_item);
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

    template <class Op>
    static bool differ(Op& op, const T& a, const T& b, int index) {
        if constexpr (std::is_invocable_v<Op&, const T&, const T&, int>) {
            return op(a, b, index);
        } else {
            return op(a, b);
        }
    }

    template <int N, class Flag, class Op>
    void heads(Flag (&flags)[N], T (&input)[N], Op& op, const T* before) {
        int first = linear_tid * N;
        if (linear_tid > 0) before = &temp_storage.last_items[linear_tid - 1];
        flags[0] = before ? differ(op, *before, input[0], first) : true;
        for (int i = 1; i < N; ++i) flags[i] = differ(op, input[i - 1], input[i], first + i);
    }
    template <int N, class Flag, class Op>
    void tails(Flag (&flags)[N], T (&input)[N], Op& op, const T* after) {
        int next = linear_tid * N + 1;
        if (linear_tid < Shape::threads - 1) after = &temp_storage.first_items[linear_tid + 1];
        for (int i = 0; i < N - 1; ++i) flags[i] = differ(op, input[i], input[i + 1], next + i);
        flags[N - 1] = after ? differ(op, input[N - 1], *after, next + N - 1) : true;
    }
};

}  // namespace cub

#endif
