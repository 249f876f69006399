// cub::DeviceTransform: out[i] = op(in[i]...).
#ifndef LEETK_CUB_DEVICE_TRANSFORM_CUH
#define LEETK_CUB_DEVICE_TRANSFORM_CUH
#pragma GCC system_header

#include <tuple>

#include "cub/leetk/device_call.h"

namespace cub {

struct DeviceTransform {
    template <class... In, class Out, class Count, class Op>
    static cudaError_t Transform(std::tuple<In...> inputs, Out output, Count num_items,
                                 Op transform_op, LEETK_CUB_DEVICE) {
        auto body = [&] {
            std::apply(
                [&](auto&... in) {
                    for (long long i = 0; i < (long long)num_items; ++i) {
                        output[i] = transform_op(in[i]...);
                    }
                },
                inputs);
        };
        return cudaError_t(
            leetk::on_device("cub::DeviceTransform::Transform", here, stream, 2, body, output));
    }
    template <class In, class Out, class Count, class Op>
    static cudaError_t Transform(In input, Out output, Count num_items, Op transform_op,
                                 LEETK_CUB_DEVICE) {
        return Transform(std::make_tuple(input), output, num_items, transform_op, stream, here);
    }
    template <class In, class Out, class Count, class Op>
    static cudaError_t Transform(void* d_temp_storage, size_t& temp_storage_bytes, In input,
                                 Out output, Count num_items, Op transform_op, LEETK_CUB_DEVICE) {
        if (d_temp_storage) return Transform(input, output, num_items, transform_op, stream, here);
        temp_storage_bytes = 1;
        return cudaSuccess;
    }
    template <class In, class Out, class Count, class Op>
    static cudaError_t TransformStableArgumentAddresses(In input, Out output, Count num_items,
                                                        Op transform_op, LEETK_CUB_DEVICE) {
        return Transform(input, output, num_items, transform_op, stream, here);
    }
};

}  // namespace cub

#endif
