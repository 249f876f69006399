// cub::BlockReduce. The result is thread 0's; the others get poison.
//
// All algorithms are one here. The TempStorage holds one value a warp, as CUB's default does, so
// that one used again too early spoils the result, too.
#ifndef LEETK_CUB_BLOCK_REDUCE_CUH
#define LEETK_CUB_BLOCK_REDUCE_CUH
#pragma GCC system_header

#include "cub/leetk/block.h"
#include "cub/thread/thread_reduce.cuh"

namespace cub {

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS,
    BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC,
};

template <class T, int BLOCK_DIM_X, BlockReduceAlgorithm ALGORITHM = BLOCK_REDUCE_WARP_REDUCTIONS,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockReduce {
    using Shape = leetk::BlockShape<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;

    // What a thread brings; `total` is that of thread 0's warp.
    struct Frame {
        const T* input;
        T total;
    };

public:
    struct TempStorage {
        leetk::Slots<T, Shape::warps> totals;
    };

    BlockReduce(LEETK_CUB_HERE)
        : temp_storage(private_storage()), here(here), linear_tid(Shape::rank()) {}
    BlockReduce(TempStorage& storage, LEETK_CUB_HERE)
        : temp_storage(storage), here(here), linear_tid(Shape::rank()) {}

    template <class Op>
    T Reduce(T input, Op op) {
        return Reduce(input, op, Shape::threads);
    }
    template <int ITEMS_PER_THREAD, class Op>
    T Reduce(T (&inputs)[ITEMS_PER_THREAD], Op op) {
        return Reduce(ThreadReduce(inputs, op), op);
    }
    // Of the first `num_valid` threads' inputs.
    template <class Op>
    T Reduce(T input, Op op, int num_valid) {
        int warp = linear_tid / 32;
        bool leads = leetk::linear_thread() % 32 == 0;
        if (leads && warp > 0 && warp < Shape::warps) temp_storage.totals.spoil_one(warp);
        Frame frame{&input, leetk::spoilt(input)};
        leetk::BlockMeeting meeting;
        meeting.attend(linear_tid, &frame, here, [&] { add_up(meeting, op, num_valid); });
        if (linear_tid != 0) return frame.total;
        for (int w = 1; w < Shape::warps && w * 32 < num_valid; ++w) {
            frame.total = op(frame.total, temp_storage.totals[w]);
        }
        return frame.total;
    }

    T Sum(T input) { return Reduce(input, std::plus<>{}); }
    template <int ITEMS_PER_THREAD>
    T Sum(T (&inputs)[ITEMS_PER_THREAD]) {
        return Reduce(inputs, std::plus<>{});
    }
    T Sum(T input, int num_valid) { return Reduce(input, std::plus<>{}, num_valid); }

private:
    TempStorage& temp_storage;
    leetk::Here here;
    int linear_tid;

    static TempStorage& private_storage() {
        __shared__ TempStorage storage;
        return storage;
    }

    template <class Op>
    void add_up(const leetk::BlockMeeting& meeting, Op& op, int num_valid) {
        int valid = num_valid < Shape::threads ? num_valid : Shape::threads;
        for (int first = 0; first < valid; first += 32) {
            int end = first + 32 < valid ? first + 32 : valid;
            const Frame* frame = meeting.frame<Frame>(first);
            if (!frame) continue;
            T total = *frame->input;
            for (int i = first + 1; frame && i < end; ++i) {
                frame = meeting.frame<Frame>(i);
                if (frame) total = op(total, *frame->input);
            }
            if (!frame) continue;
            if (first > 0) {
                temp_storage.totals.put(first / 32, total);
            } else {
                meeting.frame<Frame>(0)->total = total;
            }
        }
    }
};

}  // namespace cub

#endif
