// cub::BlockScan. All algorithms are one here.
//
// The TempStorage holds one value a thread, as that of CUB's default does, and the aggregate.
#ifndef LEETK_CUB_BLOCK_SCAN_CUH
#define LEETK_CUB_BLOCK_SCAN_CUH
#pragma GCC system_header

#include "cub/leetk/block.h"
#include "cub/thread/thread_reduce.cuh"
#include "cub/thread/thread_scan.cuh"

namespace cub {

enum BlockScanAlgorithm {
    BLOCK_SCAN_RAKING,
    BLOCK_SCAN_RAKING_MEMOIZE,
    BLOCK_SCAN_WARP_SCANS,
};

template <class T, int BLOCK_DIM_X, BlockScanAlgorithm ALGORITHM = BLOCK_SCAN_RAKING,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockScan {
    using Shape = leetk::BlockShape<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;
    using Plus = std::plus<>;
    template <int N>
    using Items = T (&)[N];

public:
    struct TempStorage {
        leetk::Slots<T, Shape::threads> prefixes;
        leetk::Slots<T, 1> aggregate;
        leetk::Slots<T, 1> block_prefix;
    };

    BlockScan(LEETK_CUB_HERE)
        : temp_storage(private_storage()), here(here), linear_tid(Shape::rank()) {}
    BlockScan(TempStorage& storage, LEETK_CUB_HERE)
        : temp_storage(storage), here(here), linear_tid(Shape::rank()) {}

    // ---- exclusive sums ----

    void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T{}, Plus{}); }
    void ExclusiveSum(T input, T& output, T& block_aggregate) {
        ExclusiveScan(input, output, T{}, Plus{}, block_aggregate);
    }
    template <class Callback>
    void ExclusiveSum(T input, T& output, Callback& block_prefix_callback_op) {
        ExclusiveScan(input, output, Plus{}, block_prefix_callback_op);
    }
    template <int N>
    void ExclusiveSum(T (&input)[N], T (&output)[N]) {
        ExclusiveScan(input, output, T{}, Plus{});
    }
    template <int N>
    void ExclusiveSum(T (&input)[N], T (&output)[N], T& block_aggregate) {
        ExclusiveScan(input, output, T{}, Plus{}, block_aggregate);
    }
    template <int N, class Callback>
    void ExclusiveSum(T (&input)[N], T (&output)[N], Callback& block_prefix_callback_op) {
        ExclusiveScan(input, output, Plus{}, block_prefix_callback_op);
    }

    // ---- exclusive scans ----

    template <class Op>
    void ExclusiveScan(T input, T& output, T initial_value, Op op) {
        T unused;
        ExclusiveScan(input, output, initial_value, op, unused);
    }
    // The aggregate leaves the initial value out.
    template <class Op>
    void ExclusiveScan(T input, T& output, T initial_value, Op op, T& block_aggregate) {
        T before;
        scan(input, op, before, block_aggregate);
        output = linear_tid == 0 ? initial_value : T(op(initial_value, before));
    }
    template <class Op, class Callback>
    void ExclusiveScan(T input, T& output, Op op, Callback& block_prefix_callback_op) {
        T before, aggregate;
        scan(input, op, before, aggregate);
        T prefix = block_prefix(aggregate, block_prefix_callback_op);
        output = linear_tid == 0 ? prefix : T(op(prefix, before));
    }
    template <int N, class Op>
    void ExclusiveScan(T (&input)[N], T (&output)[N], T initial_value, Op op) {
        T prefix = ThreadReduce(input, op);
        ExclusiveScan(prefix, prefix, initial_value, op);
        internal::ThreadScanExclusive(input, output, op, prefix);
    }
    template <int N, class Op>
    void ExclusiveScan(T (&input)[N], T (&output)[N], T initial_value, Op op, T& block_aggregate) {
        T prefix = ThreadReduce(input, op);
        ExclusiveScan(prefix, prefix, initial_value, op, block_aggregate);
        internal::ThreadScanExclusive(input, output, op, prefix);
    }
    template <int N, class Op, class Callback>
    void ExclusiveScan(T (&input)[N], T (&output)[N], Op op, Callback& block_prefix_callback_op) {
        T prefix = ThreadReduce(input, op);
        ExclusiveScan(prefix, prefix, op, block_prefix_callback_op);
        internal::ThreadScanExclusive(input, output, op, prefix);
    }

    // Without an initial value thread 0's (first) output is undefined.
    template <class Op>
    void ExclusiveScan(T input, T& output, Op op) {
        T unused;
        ExclusiveScan(input, output, op, unused);
    }
    template <class Op>
    void ExclusiveScan(T input, T& output, Op op, T& block_aggregate) {
        T before;
        scan(input, op, before, block_aggregate);
        output = before;
    }
    template <int N, class Op>
    void ExclusiveScan(T (&input)[N], T (&output)[N], Op op) {
        T unused;
        ExclusiveScan(input, output, op, unused);
    }
    template <int N, class Op>
    void ExclusiveScan(T (&input)[N], T (&output)[N], Op op, T& block_aggregate) {
        T prefix = ThreadReduce(input, op);
        ExclusiveScan(prefix, prefix, op, block_aggregate);
        internal::ThreadScanExclusive(input, output, op, prefix, linear_tid != 0);
        if (linear_tid == 0) leetk::spoil(output[0]);
    }

    // ---- inclusive sums ----

    void InclusiveSum(T input, T& output) { InclusiveScan(input, output, Plus{}); }
    void InclusiveSum(T input, T& output, T& block_aggregate) {
        InclusiveScan(input, output, Plus{}, block_aggregate);
    }
    template <class Callback>
    void InclusiveSum(T input, T& output, Callback& block_prefix_callback_op) {
        InclusiveScan(input, output, Plus{}, block_prefix_callback_op);
    }
    template <int N>
    void InclusiveSum(T (&input)[N], T (&output)[N]) {
        InclusiveScan(input, output, Plus{});
    }
    template <int N>
    void InclusiveSum(T (&input)[N], T (&output)[N], T& block_aggregate) {
        InclusiveScan(input, output, Plus{}, block_aggregate);
    }
    template <int N, class Callback>
    void InclusiveSum(T (&input)[N], T (&output)[N], Callback& block_prefix_callback_op) {
        InclusiveScan(input, output, Plus{}, block_prefix_callback_op);
    }

    // ---- inclusive scans ----

    template <class Op>
    void InclusiveScan(T input, T& output, Op op) {
        T unused;
        InclusiveScan(input, output, op, unused);
    }
    template <class Op>
    void InclusiveScan(T input, T& output, Op op, T& block_aggregate) {
        T before;
        scan(input, op, before, block_aggregate);
        output = linear_tid == 0 ? input : T(op(before, input));
    }
    template <class Op, class Callback>
    void InclusiveScan(T input, T& output, Op op, Callback& block_prefix_callback_op) {
        T prefix;
        ExclusiveScan(input, prefix, op, block_prefix_callback_op);
        output = op(prefix, input);
    }
    template <int N, class Op>
    void InclusiveScan(T (&input)[N], T (&output)[N], Op op) {
        T unused;
        InclusiveScan(input, output, op, unused);
    }
    template <int N, class Op>
    void InclusiveScan(T (&input)[N], T (&output)[N], Op op, T& block_aggregate) {
        T prefix = ThreadReduce(input, op);
        ExclusiveScan(prefix, prefix, op, block_aggregate);
        internal::ThreadScanInclusive(input, output, op, prefix, linear_tid != 0);
    }
    template <int N, class Op>
    void InclusiveScan(T (&input)[N], T (&output)[N], T initial_value, Op op) {
        T unused;
        InclusiveScan(input, output, initial_value, op, unused);
    }
    template <int N, class Op>
    void InclusiveScan(T (&input)[N], T (&output)[N], T initial_value, Op op, T& block_aggregate) {
        T prefix = ThreadReduce(input, op);
        ExclusiveScan(prefix, prefix, initial_value, op, block_aggregate);
        internal::ThreadScanInclusive(input, output, op, prefix);
    }
    template <int N, class Op, class Callback>
    void InclusiveScan(T (&input)[N], T (&output)[N], Op op, Callback& block_prefix_callback_op) {
        T prefix = ThreadReduce(input, op);
        ExclusiveScan(prefix, prefix, op, block_prefix_callback_op);
        internal::ThreadScanInclusive(input, output, op, prefix);
    }

private:
    TempStorage& temp_storage;
    leetk::Here here;
    int linear_tid;

    static TempStorage& private_storage() {
        __shared__ TempStorage storage;
        return storage;
    }

    // `before` becomes the fold of the inputs of all threads before this one, poison in thread 0;
    // `aggregate` that of all.
    template <class Op>
    void scan(T input, Op& op, T& before, T& aggregate) {
        bool counted = linear_tid < Shape::threads;
        if (counted) temp_storage.prefixes.spoil_one(linear_tid);
        leetk::BlockMeeting meeting;
        meeting.attend(linear_tid, &input, here, [&] { fill(meeting, op); });
        before = counted ? temp_storage.prefixes[linear_tid] : leetk::spoilt(input);
        aggregate = temp_storage.aggregate[0];
    }

    template <class Op>
    void fill(const leetk::BlockMeeting& meeting, Op& op) {
        temp_storage.aggregate.spoil_one(0);
        const T* input = meeting.frame<T>(0);
        if (!input) return;
        T total = *input;
        for (int i = 1; i < Shape::threads; ++i) {
            temp_storage.prefixes.put(i, total);
            input = meeting.frame<T>(i);
            if (!input) return;
            total = op(total, *input);
        }
        temp_storage.aggregate.put(0, total);
    }

    // The first warp asks the callback, and lane 0's answer holds.
    template <class Callback>
    T block_prefix(const T& aggregate, Callback& callback) {
        if (linear_tid < 32) {
            T prefix = callback(aggregate);
            if (linear_tid == 0) temp_storage.block_prefix.put(0, prefix);
        }
        leetk::block_barrier(here);
        return temp_storage.block_prefix[0];
    }
};

}  // namespace cub

#endif
