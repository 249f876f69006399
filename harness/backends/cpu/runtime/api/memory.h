// The runtime API's memory functions: allocation, copies, memsets, pinned and managed memory.
//
// Everything is done when a call returns. Pointers are checked as the unified address space of a
// GPU has it: the pointers decide what a copy is; pageable memory where the kind has the device's, a
// null pointer or a range that leaves its allocation is cudaErrorInvalidValue, and nothing is copied.
// Of other kinds that contradict the pointers a report tells (copies.cpp).
#ifndef LEETK_API_MEMORY_H
#define LEETK_API_MEMORY_H

#include "api/driver_types.h"

extern "C" {

cudaError_t cudaFree(void* pointer);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream);
cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int flags);
cudaError_t cudaHostUnregister(void* pointer);
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags);
cudaError_t cudaHostGetFlags(unsigned int* flags, void* host);
cudaError_t cudaMemGetInfo(size_t* free, size_t* total);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream = nullptr);
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           size_t bytes);
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                size_t bytes, cudaStream_t stream = nullptr);
cudaError_t cudaMemset(void* to, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream = nullptr);
cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream = nullptr);

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream = nullptr);
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location);

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes);

}  // extern "C"

// CUDA 12's forms of two functions that CUDA 13 changed.
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device,
                                 cudaStream_t stream = nullptr);
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device);

// --- allocation --------------------------------------------------------------------------------
//
// For pointers of any type, void* among them. The last two parameters are the caller's place in the
// source, which reports about the allocation name.

namespace leetk {
cudaError_t allocate_device(void** pointer, size_t bytes, const char* file, int line);
cudaError_t allocate_pitched(void** pointer, size_t* pitch, size_t width, size_t height,
                             const char* file, int line);
cudaError_t allocate_host(void** pointer, size_t bytes, unsigned int flags, const char* file,
                          int line);
cudaError_t allocate_managed(void** pointer, size_t bytes, unsigned int flags, const char* file,
                             int line);
cudaError_t allocate_async(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream,
                           const char* file, int line);
}  // namespace leetk

#define LEETK_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()

template <class T>
static inline cudaError_t cudaMalloc(T** pointer, size_t bytes, LEETK_HERE) {
    return leetk::allocate_device((void**)(void*)pointer, bytes, file, line);
}
template <class T>
static inline cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height,
                                          LEETK_HERE) {
    return leetk::allocate_pitched((void**)(void*)pointer, pitch, width, height, file, line);
}
template <class T>
static inline cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned int flags = 0,
                                         LEETK_HERE) {
    return leetk::allocate_host((void**)(void*)pointer, bytes, flags, file, line);
}
template <class T>
static inline cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned int flags, LEETK_HERE) {
    return leetk::allocate_host((void**)(void*)pointer, bytes, flags, file, line);
}
template <class T>
static inline cudaError_t cudaMallocManaged(T** pointer, size_t bytes,
                                            unsigned int flags = cudaMemAttachGlobal, LEETK_HERE) {
    return leetk::allocate_managed((void**)(void*)pointer, bytes, flags, file, line);
}
template <class T>
static inline cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream,
                                          LEETK_HERE) {
    return leetk::allocate_async((void**)(void*)pointer, bytes, nullptr, stream, file, line);
}
template <class T>
static inline cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaMemPool_t pool,
                                          cudaStream_t stream, LEETK_HERE) {
    return leetk::allocate_async((void**)(void*)pointer, bytes, pool, stream, file, line);
}
template <class T>
static inline cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t bytes, cudaMemPool_t pool,
                                                  cudaStream_t stream, LEETK_HERE) {
    return leetk::allocate_async((void**)(void*)pointer, bytes, pool, stream, file, line);
}
#undef LEETK_HERE

template <class T>
static inline cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
    return ::cudaHostGetDevicePointer((void**)(void*)device, host, flags);
}

#endif
