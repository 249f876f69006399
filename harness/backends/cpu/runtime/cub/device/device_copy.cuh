// cub::DeviceCopy::Batched: many copies, of items.
#ifndef LEETK_CUB_DEVICE_COPY_CUH
#define LEETK_CUB_DEVICE_COPY_CUH
#pragma GCC system_header

#include "cub/leetk/device_call.h"

namespace cub {

struct DeviceCopy {
    template <class In, class Out, class Sizes>
    static cudaError_t Batched(void* d_temp_storage, size_t& temp_storage_bytes, In input_it,
                               Out output_it, Sizes sizes, long long num_ranges, LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceCopy::Batched", here, stream, d_temp_storage,
                               temp_storage_bytes};
        auto body = [=]() mutable {
            for (long long r = 0; r < num_ranges; ++r) {
                auto from = input_it[r];
                auto to = output_it[r];
                for (long long i = 0; i < (long long)sizes[r]; ++i) to[i] = from[i];
            }
        };
        return call.run(1024, body, input_it, output_it, sizes);
    }
};

}  // namespace cub

#endif
