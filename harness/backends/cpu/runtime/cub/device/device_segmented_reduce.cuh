// cub::DeviceSegmentedReduce: one result for each segment [begin_offsets[i], end_offsets[i]).
#ifndef LEETK_CUB_DEVICE_SEGMENTED_REDUCE_CUH
#define LEETK_CUB_DEVICE_SEGMENTED_REDUCE_CUH
#pragma GCC system_header

#include "cub/leetk/device_call.h"
#include "cub/leetk/extremum.h"
#include "cub/leetk/fold.h"
#include "cub/thread/thread_operators.cuh"

namespace cub {

struct DeviceSegmentedReduce {
    template <class In, class Out, class Begins, class Ends, class Op, class T>
    static cudaError_t Reduce(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                              long long num_segments, Begins d_begin_offsets, Ends d_end_offsets,
                              Op reduction_op, T initial_value, LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceSegmentedReduce::Reduce", here, stream, d_temp_storage,
                               temp_storage_bytes};
        return reduce(call, d_in, d_out, num_segments, d_begin_offsets, d_end_offsets, reduction_op,
                      initial_value);
    }
    template <class In, class Out, class Begins, class Ends>
    static cudaError_t Sum(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                           long long num_segments, Begins d_begin_offsets, Ends d_end_offsets,
                           LEETK_CUB_DEVICE) {
        using Initial = typename leetk::OutputOf<Out, leetk::ValueOf<In>>::type;
        leetk::DeviceCall call{"cub::DeviceSegmentedReduce::Sum", here, stream, d_temp_storage,
                               temp_storage_bytes};
        return reduce(call, d_in, d_out, num_segments, d_begin_offsets, d_end_offsets,
                      std::plus<>{}, Initial{});
    }

#define LEETK_CUB_EXTREMUM(name, largest, function)                                               \
    template <class In, class Out, class Begins, class Ends>                                      \
    static cudaError_t name(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out, \
                            long long num_segments, Begins d_begin_offsets, Ends d_end_offsets,   \
                            LEETK_CUB_DEVICE) {                                                   \
        leetk::DeviceCall call{"cub::DeviceSegmentedReduce::" #name, here, stream,                \
                               d_temp_storage, temp_storage_bytes};                               \
        return function<largest>(call, d_in, d_out, num_segments, d_begin_offsets,                \
                                 d_end_offsets);                                                  \
    }
    LEETK_CUB_EXTREMUM(Min, false, extremum)
    LEETK_CUB_EXTREMUM(Max, true, extremum)
    // Pairs of the index within the segment and the value.
    LEETK_CUB_EXTREMUM(ArgMin, false, arg)
    LEETK_CUB_EXTREMUM(ArgMax, true, arg)
#undef LEETK_CUB_EXTREMUM

private:
    template <class In, class Out, class Begins, class Ends, class Op, class T>
    static cudaError_t reduce(const leetk::DeviceCall& call, In in, Out out, long long segments,
                              Begins begins, Ends ends, Op op, T initial) {
        using Sum = leetk::AccumulatorOf<Op, T, leetk::ValueOf<In>>;
        auto body = [=]() mutable {
            for (long long s = 0; s < segments; ++s) {
                long long begin = (long long)begins[s], end = (long long)ends[s];
                Sum sum = Sum(initial);
                if (end > begin) sum = op(initial, leetk::fold<Sum>(in, begin, end - begin, op));
                out[s] = sum;
            }
        };
        return call.run(1, body, in, out, begins, ends);
    }

    template <bool largest, class In, class Out, class Begins, class Ends>
    static cudaError_t extremum(const leetk::DeviceCall& call, In in, Out out, long long segments,
                                Begins begins, Ends ends) {
        using T = leetk::ValueOf<In>;
        auto body = [=]() mutable {
            leetk::Extremum<largest> op;
            for (long long s = 0; s < segments; ++s) {
                long long begin = (long long)begins[s], end = (long long)ends[s];
                out[s] = end > begin ? leetk::fold<T>(in, begin, end - begin, op)
                                     : op.template none<T>();
            }
        };
        return call.run(1, body, in, out, begins, ends);
    }

    template <bool largest, class In, class Out, class Begins, class Ends>
    static cudaError_t arg(const leetk::DeviceCall& call, In in, Out out, long long segments,
                           Begins begins, Ends ends) {
        using T = leetk::ValueOf<In>;
        using Pair = typename leetk::OutputOf<Out, KeyValuePair<int, T>>::type;
        auto body = [=]() mutable {
            leetk::Extremum<largest> op;
            for (long long s = 0; s < segments; ++s) {
                long long begin = (long long)begins[s], end = (long long)ends[s];
                Pair found;
                found.key = 1;
                found.value = op.template none<T>();
                if (end > begin) {
                    long long at = op.find(in, begin, end);
                    found.key = int(at - begin);
                    found.value = in[at];
                }
                out[s] = found;
            }
        };
        return call.run(1, body, in, out, begins, ends);
    }
};

}  // namespace cub

#endif
