// cub::BlockShuffle: moves items between the threads of a block.
#ifndef LEETK_CUB_BLOCK_SHUFFLE_CUH
#define LEETK_CUB_BLOCK_SHUFFLE_CUH
#pragma GCC system_header

#include "cub/leetk/block.h"

namespace cub {

template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1,
          int LEGACY_PTX_ARCH = 0>
class BlockShuffle {
    using Shape = leetk::BlockShape<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;

public:
    struct TempStorage {
        leetk::Slots<T, Shape::threads> items;
    };

    BlockShuffle(LEETK_CUB_HERE)
        : temp_storage(private_storage()), here(here), linear_tid(Shape::rank()) {}
    BlockShuffle(TempStorage& storage, LEETK_CUB_HERE)
        : temp_storage(storage), here(here), linear_tid(Shape::rank()) {}

    // `output` becomes the input of the thread `distance` further on, if there is one.
    void Offset(T input, T& output, int distance = 1) {
        share(input);
        int from = linear_tid + distance;
        if (from >= 0 && from < Shape::threads) output = temp_storage.items[from];
    }
    void Rotate(T input, T& output, unsigned int distance = 1) {
        share(input);
        output = temp_storage.items[int((unsigned(linear_tid) + distance) % Shape::threads)];
    }
    // Each item moves to the next place; the block's first one stays as `prev` has it.
    template <int N>
    void Up(T (&input)[N], T (&prev)[N]) {
        share(input[N - 1]);
        for (int i = N - 1; i > 0; --i) prev[i] = input[i - 1];
        if (linear_tid > 0) prev[0] = temp_storage.items[linear_tid - 1];
    }
    template <int N>
    void Up(T (&input)[N], T (&prev)[N], T& block_suffix) {
        Up(input, prev);
        block_suffix = temp_storage.items[Shape::threads - 1];
    }
    // Each item moves to the place before; the block's last one stays as `prev` has it.
    template <int N>
    void Down(T (&input)[N], T (&prev)[N]) {
        share(input[0]);
        for (int i = 0; i < N - 1; ++i) prev[i] = input[i + 1];
        if (linear_tid < Shape::threads - 1) prev[N - 1] = temp_storage.items[linear_tid + 1];
    }
    template <int N>
    void Down(T (&input)[N], T (&prev)[N], T& block_prefix) {
        Down(input, prev);
        block_prefix = temp_storage.items[0];
    }

private:
    TempStorage& temp_storage;
    leetk::Here here;
    int linear_tid;

    static TempStorage& private_storage() {
        __shared__ TempStorage storage;
        return storage;
    }

    void share(const T& item) {
        if (linear_tid < Shape::threads) temp_storage.items.put(linear_tid, item);
        leetk::block_barrier(here);
    }
};

}  // namespace cub

#endif
