// cub::DevicePartition: selected items first, in their order; the others behind, in reverse.
#ifndef LEETK_CUB_DEVICE_PARTITION_CUH
#define LEETK_CUB_DEVICE_PARTITION_CUH
#pragma GCC system_header

#include "cub/leetk/device_call.h"
#include "cub/leetk/fold.h"
#include "cub/thread/thread_operators.cuh"

namespace cub {

struct DevicePartition {
    template <class In, class Flags, class Out, class Selected, class Count>
    static cudaError_t Flagged(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                               Flags d_flags, Out d_out, Selected d_num_selected_out,
                               Count num_items, LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DevicePartition::Flagged", here, stream, d_temp_storage,
                               temp_storage_bytes};
        auto first = [=](long long i, const auto&) mutable { return bool(d_flags[i]); };
        return partition(call, d_in, d_out, d_num_selected_out, (long long)num_items, first);
    }
    template <class In, class Out, class Selected, class Count, class Op>
    static cudaError_t If(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                          Selected d_num_selected_out, Count num_items, Op select_op,
                          LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DevicePartition::If", here, stream, d_temp_storage,
                               temp_storage_bytes};
        auto first = [=](long long, const auto& item) mutable { return bool(select_op(item)); };
        return partition(call, d_in, d_out, d_num_selected_out, (long long)num_items, first);
    }
    // Three ways, all in their order; d_num_selected_out gets the first two numbers.
    template <class In, class FirstOut, class SecondOut, class RestOut, class Selected, class Count,
              class FirstOp, class SecondOp>
    static cudaError_t If(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                          FirstOut d_first_part_out, SecondOut d_second_part_out,
                          RestOut d_unselected_out, Selected d_num_selected_out, Count num_items,
                          FirstOp select_first_part_op, SecondOp select_second_part_op,
                          LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DevicePartition::If", here, stream, d_temp_storage,
                               temp_storage_bytes};
        using T = leetk::ValueOf<In>;
        auto body = [=]() mutable {
            long long first = 0, second = 0, rest = 0;
            for (long long i = 0; i < (long long)num_items; ++i) {
                T item = d_in[i];
                if (select_first_part_op(item)) {
                    d_first_part_out[first++] = item;
                } else if (select_second_part_op(item)) {
                    d_second_part_out[second++] = item;
                } else {
                    d_unselected_out[rest++] = item;
                }
            }
            d_num_selected_out[0] = first;
            d_num_selected_out[1] = second;
        };
        return call.run(leetk::tile_storage(num_items), body, d_in, d_first_part_out,
                        d_second_part_out, d_unselected_out, d_num_selected_out);
    }

private:
    template <class In, class Out, class Selected, class First>
    static cudaError_t partition(const leetk::DeviceCall& call, In in, Out out, Selected selected,
                                 long long items, First first) {
        using T = leetk::ValueOf<In>;
        auto body = [=]() mutable {
            long long front = 0, back = items;
            for (long long i = 0; i < items; ++i) {
                T item = in[i];
                if (first(i, item)) {
                    out[front++] = item;
                } else {
                    out[--back] = item;
                }
            }
            *selected = front;
        };
        return call.run(leetk::tile_storage(items), body, in, out, selected);
    }
};

}  // namespace cub

#endif
