// Copies to and from __device__ and __constant__ variables, and their addresses.
//
// CUDA 13 takes the variable itself. Its name in a string is an error there
// (cudaErrorInvalidSymbol) and here.
#ifndef LEETK_API_SYMBOLS_H
#define LEETK_API_SYMBOLS_H

#include "api/driver_types.h"

namespace leetk {
// The host's view of a variable is its address: one program, one address space. Both return a
// cudaError_t that has been left for cudaGetLastError as well.
cudaError_t copy_to_symbol(const void* symbol, size_t size, const void* from, size_t bytes,
                           size_t offset, cudaMemcpyKind kind);
cudaError_t copy_from_symbol(void* to, const void* symbol, size_t size, size_t bytes, size_t offset,
                             cudaMemcpyKind kind);
cudaError_t symbol_address(void** pointer, const void* symbol, size_t size);
cudaError_t symbol_size(size_t* bytes, size_t size);
}  // namespace leetk

template <class T>
static inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes,
                                             size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return leetk::copy_to_symbol((const void*)&symbol, sizeof(T), from, bytes, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes,
                                                  size_t offset = 0,
                                                  cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                  cudaStream_t = nullptr) {
    return leetk::copy_to_symbol((const void*)&symbol, sizeof(T), from, bytes, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes,
                                               size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return leetk::copy_from_symbol(to, (const void*)&symbol, sizeof(T), bytes, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes,
                                                    size_t offset = 0,
                                                    cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                    cudaStream_t = nullptr) {
    return leetk::copy_from_symbol(to, (const void*)&symbol, sizeof(T), bytes, offset, kind);
}
template <class T>
static inline cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
    return leetk::symbol_address(pointer, (const void*)&symbol, sizeof(T));
}
template <class T>
static inline cudaError_t cudaGetSymbolSize(size_t* bytes, const T&) {
    return leetk::symbol_size(bytes, sizeof(T));
}

#endif
