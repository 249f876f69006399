// cub::CachingDeviceAllocator, which here keeps nothing: allocations come from cudaMalloc, so that
// each has its guards.
#ifndef LEETK_CUB_UTIL_ALLOCATOR_CUH
#define LEETK_CUB_UTIL_ALLOCATOR_CUH
#pragma GCC system_header

#include "cub/util_debug.cuh"

namespace cub {

struct CachingDeviceAllocator {
    static constexpr unsigned int INVALID_BIN = ~0u;
    static constexpr int INVALID_DEVICE_ORDINAL = -1;

    CachingDeviceAllocator(unsigned int, unsigned int = 1, unsigned int = INVALID_BIN,
                           size_t = ~size_t(0), bool = false) {}
    CachingDeviceAllocator(bool = false, bool = false) {}

    cudaError_t DeviceAllocate(int, void** d_ptr, size_t bytes, cudaStream_t = nullptr) {
        return cudaMalloc(d_ptr, bytes);
    }
    cudaError_t DeviceAllocate(void** d_ptr, size_t bytes, cudaStream_t = nullptr) {
        return cudaMalloc(d_ptr, bytes);
    }
    cudaError_t DeviceFree(int, void* d_ptr) { return cudaFree(d_ptr); }
    cudaError_t DeviceFree(void* d_ptr) { return cudaFree(d_ptr); }
    cudaError_t FreeAllCached() { return cudaSuccess; }
    cudaError_t SetMaxCachedBytes(size_t) { return cudaSuccess; }
};

}  // namespace cub

#endif
