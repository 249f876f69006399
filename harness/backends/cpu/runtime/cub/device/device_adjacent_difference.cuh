// cub::DeviceAdjacentDifference: op(item, neighbour); the item at the border is copied.
#ifndef LEETK_CUB_DEVICE_ADJACENT_DIFFERENCE_CUH
#define LEETK_CUB_DEVICE_ADJACENT_DIFFERENCE_CUH
#pragma GCC system_header

#include "cub/leetk/device_call.h"
#include "cub/leetk/fold.h"
#include "cub/thread/thread_operators.cuh"

namespace cub {

struct DeviceAdjacentDifference {
    template <class In, class Out, class Op = std::minus<>, class Count = unsigned int>
    static cudaError_t SubtractLeftCopy(void* d_temp_storage, size_t& temp_storage_bytes,
                                        In d_input, Out d_output, Count num_items,
                                        Op difference_op = {}, LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceAdjacentDifference::SubtractLeft", here, stream,
                               d_temp_storage, temp_storage_bytes};
        auto body = [=]() mutable {
            for (long long i = (long long)num_items - 1; i > 0; --i) {
                d_output[i] = difference_op(d_input[i], d_input[i - 1]);
            }
            if (num_items > 0) d_output[0] = d_input[0];
        };
        return call.run(leetk::tile_storage(num_items), body, d_input, d_output);
    }
    template <class Data, class Op = std::minus<>, class Count = unsigned int>
    static cudaError_t SubtractLeft(void* d_temp_storage, size_t& temp_storage_bytes, Data d_input,
                                    Count num_items, Op difference_op = {}, LEETK_CUB_DEVICE) {
        return SubtractLeftCopy(d_temp_storage, temp_storage_bytes, d_input, d_input, num_items,
                                difference_op, stream, here);
    }
    template <class In, class Out, class Op = std::minus<>, class Count = unsigned int>
    static cudaError_t SubtractRightCopy(void* d_temp_storage, size_t& temp_storage_bytes,
                                         In d_input, Out d_output, Count num_items,
                                         Op difference_op = {}, LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceAdjacentDifference::SubtractRight", here, stream,
                               d_temp_storage, temp_storage_bytes};
        auto body = [=]() mutable {
            long long last = (long long)num_items - 1;
            for (long long i = 0; i < last; ++i) {
                d_output[i] = difference_op(d_input[i], d_input[i + 1]);
            }
            if (num_items > 0) d_output[last] = d_input[last];
        };
        return call.run(leetk::tile_storage(num_items), body, d_input, d_output);
    }
    template <class Data, class Op = std::minus<>, class Count = unsigned int>
    static cudaError_t SubtractRight(void* d_temp_storage, size_t& temp_storage_bytes, Data d_input,
                                     Count num_items, Op difference_op = {}, LEETK_CUB_DEVICE) {
        return SubtractRightCopy(d_temp_storage, temp_storage_bytes, d_input, d_input, num_items,
                                 difference_op, stream, here);
    }
};

}  // namespace cub

#endif
