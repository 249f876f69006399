// Attributes and occupancy of kernels, by CUDA's rules for compute capability 9.0.
//
// The registers that a kernel would need aren't known here, and limit nothing.
#include "api/execution.h"

#include <string.h>

#include "api/internal.h"
#include "leetk/runtime.h"

using leetk::leave;

namespace {

constexpr size_t reserved_shared = 1024;
constexpr size_t shared_unit = 128;

// The sizes that a multiprocessor's shared memory can be given, in KiB.
constexpr int shared_sizes[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
constexpr int shared_largest = 228;

struct Attributes {
    const void* kernel;
    int dynamic_bytes;
    int carveout;
};
constexpr int most_kernels = 256;
Attributes kernels[most_kernels];
int kernel_count;

Attributes* attributes_of(const void* kernel) {
    for (int i = 0; i < kernel_count; ++i)
        if (kernels[i].kernel == kernel) return &kernels[i];
    return nullptr;
}

Attributes* make_attributes(const void* kernel) {
    Attributes* found = attributes_of(kernel);
    if (found || kernel_count == most_kernels) return found;
    kernels[kernel_count] = {kernel, (int)leetk::shared_default, cudaSharedmemCarveoutDefault};
    return &kernels[kernel_count++];
}

// Bytes of a multiprocessor's shared memory when the kernel runs whose blocks need `block_bytes`.
size_t shared_capacity(const void* kernel, size_t block_bytes) {
    const Attributes* known = attributes_of(kernel);
    const int carveout = known ? known->carveout : (int)cudaSharedmemCarveoutDefault;
    const int percent = carveout < 0 ? 100 : carveout;
    for (int size : shared_sizes) {
        const size_t bytes = size_t(size) * 1024;
        if (size * 100 >= percent * shared_largest && bytes >= block_bytes) return bytes;
    }
    return size_t(shared_largest) * 1024;
}

size_t round_up(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

int blocks_that_fit(const void* kernel, int block_size, size_t shared_bytes) {
    const size_t bytes = shared_bytes + leetk::static_shared_of(kernel);
    const size_t block_bytes = round_up(bytes + reserved_shared, shared_unit);
    const size_t capacity = shared_capacity(kernel, block_bytes);
    return leetk::blocks_per_multiprocessor(block_size, bytes, capacity);
}

}  // namespace

extern "C" {

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
    if (!kernel) return leave(cudaErrorInvalidDeviceFunction);
    Attributes* of = make_attributes(kernel);
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        if (value < 0) return leave(cudaErrorInvalidValue);
        const int error = leetk::set_dynamic_limit(kernel, size_t(value));
        if (error == 0 && of) of->dynamic_bytes = value;
        return leave(error);
    }
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
        if (value < -1 || value > 100) return leave(cudaErrorInvalidValue);
        if (of) of->carveout = value;
        return cudaSuccess;
    }
    if (attribute < cudaFuncAttributeMaxDynamicSharedMemorySize ||
        attribute >= cudaFuncAttributeMax)
        return leave(cudaErrorInvalidValue);
    return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
    if (!attributes) return leave(cudaErrorInvalidValue);
    if (!kernel) return leave(cudaErrorInvalidDeviceFunction);
    const Attributes* known = attributes_of(kernel);
    memset(attributes, 0, sizeof *attributes);
    attributes->sharedSizeBytes = leetk::static_shared_of(kernel);
    attributes->maxThreadsPerBlock = leetk::block_limit;
    attributes->numRegs = 32;
    attributes->ptxVersion = 90;
    attributes->binaryVersion = 90;
    attributes->maxDynamicSharedSizeBytes =
        known ? known->dynamic_bytes : (int)leetk::shared_default;
    attributes->preferredShmemCarveout =
        known ? known->carveout : (int)cudaSharedmemCarveoutDefault;
    return cudaSuccess;
}

cudaError_t cudaFuncSetCacheConfig(const void* kernel, cudaFuncCache) {
    return kernel ? cudaSuccess : leave(cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaFuncSetSharedMemConfig(const void* kernel, cudaSharedMemConfig) {
    return kernel ? cudaSuccess : leave(cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel,
                                                                   int block_size,
                                                                   size_t shared_bytes,
                                                                   unsigned int) {
    if (!blocks || block_size <= 0) return leave(cudaErrorInvalidValue);
    if (!kernel) return leave(cudaErrorInvalidDeviceFunction);
    *blocks = blocks_that_fit(kernel, block_size, shared_bytes);
    return cudaSuccess;
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* kernel, int blocks,
                                                      int block_size) {
    if (!bytes || blocks <= 0 || block_size <= 0) return leave(cudaErrorInvalidValue);
    if (blocks > blocks_that_fit(kernel, block_size, 0)) return leave(cudaErrorInvalidValue);
    const size_t share = size_t(shared_largest) * 1024 / size_t(blocks) / shared_unit * shared_unit;
    const size_t left = share - reserved_shared;
    *bytes = left > leetk::shared_most ? leetk::shared_most : left;
    return cudaSuccess;
}

}  // extern "C"

static cudaError_t types_lost(const char* name, const char* file, int line) {
    leetk::report_at(file, line, "unsupported", true,
                     "%s of a kernel that was cast to void*: the types of its parameters are lost; "
                     "pass the kernel without the cast, or use <<<...>>>",
                     name);
    return leave(cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t,
                             const char* file, int line) {
    return types_lost("cudaLaunchKernel", file, line);
}

cudaError_t cudaLaunchCooperativeKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t,
                                        const char* file, int line) {
    return types_lost("cudaLaunchCooperativeKernel", file, line);
}
