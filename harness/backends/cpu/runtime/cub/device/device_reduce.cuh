// cub::DeviceReduce.
#ifndef LEETK_CUB_DEVICE_REDUCE_CUH
#define LEETK_CUB_DEVICE_REDUCE_CUH
#pragma GCC system_header

#include "cub/leetk/device_call.h"
#include "cub/leetk/extremum.h"
#include "cub/leetk/fold.h"
#include "cub/thread/thread_operators.cuh"

namespace cub {

struct DeviceReduce {
    template <class In, class Out, class Op, class T, class Count>
    static cudaError_t Reduce(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                              Count num_items, Op reduction_op, T init, LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceReduce::Reduce", here, stream, d_temp_storage,
                               temp_storage_bytes};
        return reduce(call, d_in, d_out, num_items, reduction_op, init);
    }

    template <class In, class Out, class Count>
    static cudaError_t Sum(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                           Count num_items, LEETK_CUB_DEVICE) {
        using Initial = typename leetk::OutputOf<Out, leetk::ValueOf<In>>::type;
        leetk::DeviceCall call{"cub::DeviceReduce::Sum", here, stream, d_temp_storage,
                               temp_storage_bytes};
        return reduce(call, d_in, d_out, num_items, std::plus<>{}, Initial{});
    }

    template <class In, class Out, class Count>
    static cudaError_t Min(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                           Count num_items, LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceReduce::Min", here, stream, d_temp_storage,
                               temp_storage_bytes};
        return extremum<false>(call, d_in, d_out, num_items);
    }
    template <class In, class Out, class Count>
    static cudaError_t Max(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                           Count num_items, LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceReduce::Max", here, stream, d_temp_storage,
                               temp_storage_bytes};
        return extremum<true>(call, d_in, d_out, num_items);
    }

    // Of equal values the first. The output is a KeyValuePair of index and value, or two outputs.
    template <class In, class Out>
    static cudaError_t ArgMin(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                              int num_items, LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceReduce::ArgMin", here, stream, d_temp_storage,
                               temp_storage_bytes};
        return arg_pair<false>(call, d_in, d_out, num_items);
    }
    template <class In, class Value, class Index,
              class = std::enable_if_t<!std::is_integral_v<Index>>>
    static cudaError_t ArgMin(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                              Value d_min_out, Index d_index_out, long long num_items,
                              LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceReduce::ArgMin", here, stream, d_temp_storage,
                               temp_storage_bytes};
        return arg<false>(call, d_in, d_min_out, d_index_out, num_items);
    }
    template <class In, class Out>
    static cudaError_t ArgMax(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                              int num_items, LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceReduce::ArgMax", here, stream, d_temp_storage,
                               temp_storage_bytes};
        return arg_pair<true>(call, d_in, d_out, num_items);
    }
    template <class In, class Value, class Index,
              class = std::enable_if_t<!std::is_integral_v<Index>>>
    static cudaError_t ArgMax(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                              Value d_max_out, Index d_index_out, long long num_items,
                              LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceReduce::ArgMax", here, stream, d_temp_storage,
                               temp_storage_bytes};
        return arg<true>(call, d_in, d_max_out, d_index_out, num_items);
    }

    template <class In, class Out, class Op, class Transform, class T, class Count>
    static cudaError_t TransformReduce(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                                       Out d_out, Count num_items, Op reduction_op,
                                       Transform transform_op, T init, LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceReduce::TransformReduce", here, stream, d_temp_storage,
                               temp_storage_bytes};
        using Value = std::decay_t<std::invoke_result_t<Transform&, leetk::ValueOf<In>>>;
        using Sum = leetk::AccumulatorOf<Op, T, Value>;
        auto body = [=]() mutable {
            auto items = leetk::mapped<Value>(d_in, transform_op);
            long long count = (long long)num_items;
            *d_out = count > 0 ? Sum(reduction_op(init, leetk::fold<Sum>(items, 0, count,
                                                                         reduction_op)))
                               : Sum(init);
        };
        return call.run(storage, body, d_in, d_out);
    }

    // One result for each run of equal keys.
    template <class Keys, class Unique, class Values, class Aggregates, class Runs, class Op,
              class Count>
    static cudaError_t ReduceByKey(void* d_temp_storage, size_t& temp_storage_bytes, Keys d_keys_in,
                                   Unique d_unique_out, Values d_values_in,
                                   Aggregates d_aggregates_out, Runs d_num_runs_out,
                                   Op reduction_op, Count num_items, LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceReduce::ReduceByKey", here, stream, d_temp_storage,
                               temp_storage_bytes};
        using Value = leetk::ValueOf<Values>;
        using Sum = leetk::AccumulatorOf<Op, Value, Value>;
        auto body = [=]() mutable {
            long long count = (long long)num_items, runs = 0;
            for (long long begin = 0, end; begin < count; begin = end) {
                auto key = leetk::ValueOf<Keys>(d_keys_in[begin]);
                for (end = begin + 1; end < count && key == d_keys_in[end];) ++end;
                Sum sum = leetk::fold<Sum>(d_values_in, begin, end - begin, reduction_op);
                d_unique_out[runs] = key;
                d_aggregates_out[runs++] = sum;
            }
            *d_num_runs_out = runs;
        };
        return call.run(leetk::tile_storage(num_items), body, d_keys_in, d_unique_out, d_values_in,
                        d_aggregates_out, d_num_runs_out);
    }

private:
    static constexpr size_t storage = 4096;

    template <class In, class Out, class Count, class Op, class T>
    static cudaError_t reduce(const leetk::DeviceCall& call, In in, Out out, Count items, Op op,
                              T init) {
        using Sum = leetk::AccumulatorOf<Op, T, leetk::ValueOf<In>>;
        auto body = [=]() mutable {
            long long count = (long long)items;
            *out = count > 0 ? Sum(op(init, leetk::fold<Sum>(in, 0, count, op))) : Sum(init);
        };
        return call.run(storage, body, in, out);
    }

    template <bool largest, class In, class Out, class Count>
    static cudaError_t extremum(const leetk::DeviceCall& call, In in, Out out, Count items) {
        using T = leetk::ValueOf<In>;
        auto body = [=]() mutable {
            leetk::Extremum<largest> op;
            long long count = (long long)items;
            *out = count > 0 ? leetk::fold<T>(in, 0, count, op) : op.template none<T>();
        };
        return call.run(storage, body, in, out);
    }

    template <bool largest, class In, class Out>
    static cudaError_t arg_pair(const leetk::DeviceCall& call, In in, Out out, long long count) {
        using T = leetk::ValueOf<In>;
        using Pair = typename leetk::OutputOf<Out, KeyValuePair<int, T>>::type;
        auto body = [=]() mutable {
            leetk::Extremum<largest> op;
            Pair found;
            found.key = 1;
            found.value = op.template none<T>();
            if (count > 0) {
                found.key = int(op.find(in, 0, count));
                found.value = in[found.key];
            }
            *out = found;
        };
        return call.run(storage, body, in, out);
    }

    template <bool largest, class In, class Value, class Index>
    static cudaError_t arg(const leetk::DeviceCall& call, In in, Value value, Index index,
                           long long count) {
        using T = leetk::ValueOf<In>;
        auto body = [=]() mutable {
            leetk::Extremum<largest> op;
            long long at = count > 0 ? op.find(in, 0, count) : 1;
            *value = count > 0 ? T(in[at]) : op.template none<T>();
            *index = at;
        };
        return call.run(storage, body, in, value, index);
    }
};

}  // namespace cub

#endif
