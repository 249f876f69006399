// Allocation, pinning, and what a pointer is. The answers to wrong calls are those of an H200 with
// CUDA 13.0 (tests/runtime/api_rules.txt).
#include "api/memory.h"
#include "api/internal.h"
#include "leetk/runtime.h"
#include "leetk/stream_order.h"
#include "leetk/watch.h"

#include <string.h>

using leetk::leave;

namespace {

// The pitch of an H200: rows begin at multiples of it.
constexpr size_t pitch_unit = 512;
constexpr unsigned host_flags =
    cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
constexpr unsigned attach_flags = cudaMemAttachGlobal | cudaMemAttachHost;

// One pool, and nothing to set about it: its address is its handle.
char pool;
unsigned long long release_threshold;

cudaMemPool_t pool_handle() { return reinterpret_cast<cudaMemPool_t>(&pool); }

cudaError_t allocate(void** pointer, size_t bytes, leetk::RegionKind kind, const char* what,
                     const char* file, int line) {
    if (leetk::is_forked()) return leave(cudaErrorInitializationError);
    if (!pointer) return leave(cudaErrorInvalidValue);
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    *pointer = leetk::memory_alloc(bytes, kind, what, file, line);
    const char* call = kind == leetk::region_pinned ? "cudaMallocHost" : what;
    return *pointer ? cudaSuccess : leave(cudaErrorMemoryAllocation, call);
}

}  // namespace

namespace leetk {

cudaError_t allocate_device(void** pointer, size_t bytes, const char* file, int line) {
    return allocate(pointer, bytes, region_device, "cudaMalloc", file, line);
}

cudaError_t allocate_pitched(void** pointer, size_t* pitch, size_t width, size_t height,
                             const char* file, int line) {
    if (!pointer || !pitch) return leave(cudaErrorInvalidValue);
    if (width > ~size_t(0) - pitch_unit) return leave(cudaErrorMemoryAllocation);
    *pitch = (width + pitch_unit - 1) / pitch_unit * pitch_unit;
    if (height && *pitch > ~size_t(0) / height) return leave(cudaErrorMemoryAllocation);
    return allocate(pointer, *pitch * height, region_device, "cudaMallocPitch", file, line);
}

cudaError_t allocate_host(void** pointer, size_t bytes, unsigned int flags, const char* file,
                          int line) {
    if (flags & ~host_flags) return leave(cudaErrorInvalidValue);
    return allocate(pointer, bytes, region_pinned, "pinned memory", file, line);
}

cudaError_t allocate_managed(void** pointer, size_t bytes, unsigned int flags, const char* file,
                             int line) {
    if (flags == 0 || flags & ~attach_flags) return leave(cudaErrorInvalidValue);
    return allocate(pointer, bytes, region_managed, "cudaMallocManaged", file, line);
}

cudaError_t allocate_async(void** pointer, size_t bytes, cudaMemPool_t from, cudaStream_t stream,
                           const char* file, int line) {
    if (from && from != pool_handle()) return leave(cudaErrorInvalidValue);
    if (!is_stream(stream)) return leave(cudaErrorInvalidResourceHandle);
    return allocate(pointer, bytes, region_device, "cudaMallocAsync", file, line);
}

}  // namespace leetk

extern "C" {

cudaError_t cudaFree(void* pointer) {
    if (leetk::is_forked()) return leave(cudaErrorInitializationError);
    leetk::order_host_for_all();
    return leave(leetk::memory_free(pointer, leetk::region_device));
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    if (!leetk::is_stream(stream)) return leave(cudaErrorInvalidResourceHandle);
    if (!pointer) return leave(cudaErrorInvalidValue);
    if (leetk::is_forked()) return leave(cudaErrorInitializationError);
    leetk::Region region;
    if (leetk::find_region(pointer, &region)) {
        leetk::check_copy_begin(stream);
        leetk::check_copy(pointer, nullptr, region.bytes, uintptr_t(__builtin_return_address(0)) - 1);
    }
    return leave(leetk::memory_free(pointer, leetk::region_device));
}

cudaError_t cudaFreeHost(void* pointer) {
    return leave(leetk::memory_free(pointer, leetk::region_pinned));
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int) {
    return leave(leetk::memory_register(pointer, bytes));
}

cudaError_t cudaHostUnregister(void* pointer) { return leave(leetk::memory_unregister(pointer)); }

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int) {
    if (!device) return leave(cudaErrorInvalidValue);
    *device = nullptr;
    if (leetk::place_of(host) != leetk::place_pinned) return leave(cudaErrorInvalidValue);
    *device = host;
    return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* host) {
    if (!flags || leetk::place_of(host) != leetk::place_pinned) return leave(cudaErrorInvalidValue);
    *flags = cudaHostAllocMapped;
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
    size_t left = 0, all = 0;
    leetk::memory_info(&left, &all);
    if (free) *free = left;
    if (total) *total = all;
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    if (!attributes) return leave(cudaErrorInvalidValue);
    static const cudaMemoryType types[] = {cudaMemoryTypeUnregistered, cudaMemoryTypeHost,
                                           cudaMemoryTypeDevice, cudaMemoryTypeManaged};
    const leetk::Place place = leetk::place_of(pointer);
    void* const address = const_cast<void*>(pointer);
    attributes->type = types[place];
    attributes->device = place == leetk::place_pageable ? cudaInvalidDeviceId : 0;
    attributes->devicePointer = place == leetk::place_pageable ? nullptr : address;
    attributes->hostPointer = place == leetk::place_device ? nullptr : address;
    return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream) {
    if (!leetk::is_stream(stream)) return leave(cudaErrorInvalidResourceHandle);
    if (flags || location.type == cudaMemLocationTypeInvalid ||
        leetk::place_of(pointer) != leetk::place_managed || !leetk::in_bounds(pointer, bytes))
        return leave(cudaErrorInvalidValue);
    if (location.type == cudaMemLocationTypeDevice && location.id != 0)
        return leave(cudaErrorInvalidDevice);
    return cudaSuccess;
}

cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise,
                          cudaMemLocation location) {
    cudaMemLocation anywhere = location;
    if (location.type == cudaMemLocationTypeInvalid) anywhere.type = cudaMemLocationTypeHost;
    return cudaMemPrefetchAsync(pointer, bytes, anywhere, 0, nullptr);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* to, int device) {
    if (!to) return leave(cudaErrorInvalidValue);
    if (device != 0) return leave(cudaErrorInvalidDevice);
    *to = pool_handle();
    return cudaSuccess;
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* to, int device) {
    return cudaDeviceGetDefaultMemPool(to, device);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t of, cudaMemPoolAttr attribute, void* value) {
    if (of != pool_handle() || !value) return leave(cudaErrorInvalidValue);
    if (attribute == cudaMemPoolAttrReleaseThreshold)
        memcpy(&release_threshold, value, sizeof release_threshold);
    return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t of, cudaMemPoolAttr attribute, void* value) {
    if (of != pool_handle() || !value) return leave(cudaErrorInvalidValue);
    if (attribute < cudaMemPoolAttrReleaseThreshold) {
        *static_cast<int*>(value) = 1;
        return cudaSuccess;
    }
    unsigned long long result = release_threshold;
    if (attribute != cudaMemPoolAttrReleaseThreshold) {
        size_t left = 0, all = 0;
        leetk::memory_info(&left, &all);
        result = all - left;
    }
    memcpy(value, &result, sizeof result);
    return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t of, size_t) {
    return leave(of == pool_handle() ? cudaSuccess : cudaErrorInvalidValue);
}

}  // extern "C"

namespace {

cudaMemLocation location_of(int device) {
    cudaMemLocation location;
    location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    location.id = device == cudaCpuDeviceId ? 0 : device;
    return location;
}

}  // namespace

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device,
                                 cudaStream_t stream) {
    return cudaMemPrefetchAsync(pointer, bytes, location_of(device), 0u, stream);
}

cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device) {
    return cudaMemAdvise(pointer, bytes, advice, location_of(device));
}
