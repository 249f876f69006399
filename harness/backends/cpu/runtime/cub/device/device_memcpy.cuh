// cub::DeviceMemcpy::Batched: many copies, of bytes.
#ifndef LEETK_CUB_DEVICE_MEMCPY_CUH
#define LEETK_CUB_DEVICE_MEMCPY_CUH
#pragma GCC system_header

#include <string.h>

#include "cub/leetk/device_call.h"

namespace cub {

struct DeviceMemcpy {
    template <class In, class Out, class Sizes>
    static cudaError_t Batched(void* d_temp_storage, size_t& temp_storage_bytes, In input_buffer_it,
                               Out output_buffer_it, Sizes buffer_sizes, long long num_buffers,
                               LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceMemcpy::Batched", here, stream, d_temp_storage,
                               temp_storage_bytes};
        auto body = [=]() mutable {
            for (long long i = 0; i < num_buffers; ++i) {
                memcpy((void*)output_buffer_it[i], (const void*)input_buffer_it[i],
                       size_t(buffer_sizes[i]));
            }
        };
        return call.run(1024, body, input_buffer_it, output_buffer_it, buffer_sizes);
    }
};

}  // namespace cub

#endif
