// cub::DeviceScan. In place is allowed: d_out may be d_in.
#ifndef LEETK_CUB_DEVICE_SCAN_CUH
#define LEETK_CUB_DEVICE_SCAN_CUH
#pragma GCC system_header

#include "cub/leetk/device_call.h"
#include "cub/leetk/fold.h"
#include "cub/thread/thread_operators.cuh"

namespace cub {

struct DeviceScan {
    template <class In, class Out, class Count>
    static cudaError_t ExclusiveSum(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                                    Out d_out, Count num_items, LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceScan::ExclusiveSum", here, stream, d_temp_storage,
                               temp_storage_bytes};
        return exclusive(call, d_in, d_out, std::plus<>{}, leetk::ValueOf<In>{}, num_items);
    }
    template <class Data, class Count>
    static cudaError_t ExclusiveSum(void* d_temp_storage, size_t& temp_storage_bytes, Data d_data,
                                    Count num_items, LEETK_CUB_DEVICE) {
        return ExclusiveSum(d_temp_storage, temp_storage_bytes, d_data, d_data, num_items, stream,
                            here);
    }

    // The initial value may be a FutureValue, which is read when the scan runs.
    template <class In, class Out, class Op, class Initial, class Count>
    static cudaError_t ExclusiveScan(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                                     Out d_out, Op scan_op, Initial init_value, Count num_items,
                                     LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceScan::ExclusiveScan", here, stream, d_temp_storage,
                               temp_storage_bytes};
        return exclusive(call, d_in, d_out, scan_op, init_value, num_items);
    }
    template <class Data, class Op, class Initial, class Count>
    static cudaError_t ExclusiveScan(void* d_temp_storage, size_t& temp_storage_bytes, Data d_data,
                                     Op scan_op, Initial init_value, Count num_items,
                                     LEETK_CUB_DEVICE) {
        return ExclusiveScan(d_temp_storage, temp_storage_bytes, d_data, d_data, scan_op,
                             init_value, num_items, stream, here);
    }

    template <class In, class Out, class Count>
    static cudaError_t InclusiveSum(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                                    Out d_out, Count num_items, LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceScan::InclusiveSum", here, stream, d_temp_storage,
                               temp_storage_bytes};
        return inclusive(call, d_in, d_out, std::plus<>{}, num_items);
    }
    template <class Data, class Count>
    static cudaError_t InclusiveSum(void* d_temp_storage, size_t& temp_storage_bytes, Data d_data,
                                    Count num_items, LEETK_CUB_DEVICE) {
        return InclusiveSum(d_temp_storage, temp_storage_bytes, d_data, d_data, num_items, stream,
                            here);
    }

    template <class In, class Out, class Op, class Count>
    static cudaError_t InclusiveScan(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                                     Out d_out, Op scan_op, Count num_items, LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceScan::InclusiveScan", here, stream, d_temp_storage,
                               temp_storage_bytes};
        return inclusive(call, d_in, d_out, scan_op, num_items);
    }
    template <class Data, class Op, class Count>
    static cudaError_t InclusiveScan(void* d_temp_storage, size_t& temp_storage_bytes, Data d_data,
                                     Op scan_op, Count num_items, LEETK_CUB_DEVICE) {
        return InclusiveScan(d_temp_storage, temp_storage_bytes, d_data, d_data, scan_op, num_items,
                             stream, here);
    }
    template <class In, class Out, class Op, class Initial, class Count>
    static cudaError_t InclusiveScanInit(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                                         Out d_out, Op scan_op, Initial init_value,
                                         Count num_items, LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceScan::InclusiveScanInit", here, stream, d_temp_storage,
                               temp_storage_bytes};
        using T = leetk::AccumulatorOf<Op, Initial, leetk::ValueOf<In>>;
        auto body = [=]() mutable {
            T initial = T(init_value);
            leetk::scan<T>(d_in, d_out, (long long)num_items, scan_op, &initial, true);
        };
        return call.run(leetk::tile_storage(num_items), body, d_in, d_out);
    }

    template <class Keys, class In, class Out, class Count, class Equal = std::equal_to<>>
    static cudaError_t ExclusiveSumByKey(void* d_temp_storage, size_t& temp_storage_bytes,
                                         Keys d_keys_in, In d_values_in, Out d_values_out,
                                         Count num_items, Equal equality_op = Equal(),
                                         LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceScan::ExclusiveSumByKey", here, stream, d_temp_storage,
                               temp_storage_bytes};
        leetk::ValueOf<In> zero{};
        return by_key<false>(call, d_keys_in, d_values_in, d_values_out, std::plus<>{}, zero,
                             num_items, equality_op);
    }
    template <class Keys, class In, class Out, class Op, class Initial, class Count,
              class Equal = std::equal_to<>>
    static cudaError_t ExclusiveScanByKey(void* d_temp_storage, size_t& temp_storage_bytes,
                                          Keys d_keys_in, In d_values_in, Out d_values_out,
                                          Op scan_op, Initial init_value, Count num_items,
                                          Equal equality_op = Equal(), LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceScan::ExclusiveScanByKey", here, stream, d_temp_storage,
                               temp_storage_bytes};
        return by_key<false>(call, d_keys_in, d_values_in, d_values_out, scan_op, init_value,
                             num_items, equality_op);
    }
    template <class Keys, class In, class Out, class Count, class Equal = std::equal_to<>>
    static cudaError_t InclusiveSumByKey(void* d_temp_storage, size_t& temp_storage_bytes,
                                         Keys d_keys_in, In d_values_in, Out d_values_out,
                                         Count num_items, Equal equality_op = Equal(),
                                         LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceScan::InclusiveSumByKey", here, stream, d_temp_storage,
                               temp_storage_bytes};
        leetk::ValueOf<In> unused{};
        return by_key<true>(call, d_keys_in, d_values_in, d_values_out, std::plus<>{}, unused,
                            num_items, equality_op);
    }
    template <class Keys, class In, class Out, class Op, class Count,
              class Equal = std::equal_to<>>
    static cudaError_t InclusiveScanByKey(void* d_temp_storage, size_t& temp_storage_bytes,
                                          Keys d_keys_in, In d_values_in, Out d_values_out,
                                          Op scan_op, Count num_items, Equal equality_op = Equal(),
                                          LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceScan::InclusiveScanByKey", here, stream, d_temp_storage,
                               temp_storage_bytes};
        leetk::ValueOf<In> unused{};
        return by_key<true>(call, d_keys_in, d_values_in, d_values_out, scan_op, unused, num_items,
                            equality_op);
    }

private:
    template <class Initial>
    struct Plain {
        using type = Initial;
    };
    template <class T, class Iterator>
    struct Plain<FutureValue<T, Iterator>> {
        using type = T;
    };

    template <class In, class Out, class Op, class Initial, class Count>
    static cudaError_t exclusive(const leetk::DeviceCall& call, In in, Out out, Op op,
                                 Initial init_value, Count items) {
        using First = typename Plain<Initial>::type;
        using T = leetk::AccumulatorOf<Op, First, leetk::ValueOf<In>>;
        auto body = [=]() mutable {
            T initial = T(First(init_value));
            leetk::scan<T>(in, out, (long long)items, op, &initial, false);
        };
        return call.run(leetk::tile_storage(items), body, in, out);
    }

    template <class In, class Out, class Op, class Count>
    static cudaError_t inclusive(const leetk::DeviceCall& call, In in, Out out, Op op,
                                 Count items) {
        using Value = leetk::ValueOf<In>;
        using T = leetk::AccumulatorOf<Op, Value, Value>;
        auto body = [=]() mutable {
            leetk::scan<T>(in, out, (long long)items, op, static_cast<const T*>(nullptr), true);
        };
        return call.run(leetk::tile_storage(items), body, in, out);
    }

    template <bool inclusive, class Keys, class In, class Out, class Op, class Initial, class Count,
              class Equal>
    static cudaError_t by_key(const leetk::DeviceCall& call, Keys keys, In in, Out out, Op op,
                              Initial init_value, Count items, Equal equal) {
        using T = leetk::AccumulatorOf<Op, Initial, leetk::ValueOf<In>>;
        auto body = [=]() mutable {
            T initial = T(init_value);
            leetk::scan_by_key<T>(keys, in, out, (long long)items, op, equal, &initial, inclusive);
        };
        return call.run(leetk::tile_storage(items), body, keys, in, out);
    }
};

}  // namespace cub

#endif
