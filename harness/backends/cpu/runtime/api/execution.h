// Kernels as values: attributes, occupancy, and launches by pointer.
//
// A launch needs the types of a kernel's parameters, which a `void*` has lost. cudaLaunchKernel and
// its kin therefore take the kernel itself: the rewriter drops the cast of `(void*)kernel` there. A
// kernel that was cast elsewhere is reported as unsupported at run time.
#ifndef LEETK_API_EXECUTION_H
#define LEETK_API_EXECUTION_H

#include "api/driver_types.h"
#include "leetk/core.h"
#include "leetk/launch.h"

extern "C" {
cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel);
cudaError_t cudaFuncSetCacheConfig(const void* kernel, cudaFuncCache config);
cudaError_t cudaFuncSetSharedMemConfig(const void* kernel, cudaSharedMemConfig config);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel,
                                                                   int block_size,
                                                                   size_t shared_bytes,
                                                                   unsigned int flags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* kernel, int blocks,
                                                      int block_size);
}  // extern "C"

// A kernel of unknown parameters.
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes = 0, cudaStream_t stream = nullptr,
                             const char* file = __builtin_FILE(), int line = __builtin_LINE());
cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes = 0, cudaStream_t stream = nullptr,
                                        const char* file = __builtin_FILE(),
                                        int line = __builtin_LINE());

template <class T>
static inline cudaError_t cudaFuncSetAttribute(T* kernel, cudaFuncAttribute attribute, int value) {
    return ::cudaFuncSetAttribute((const void*)kernel, attribute, value);
}
template <class T>
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* kernel) {
    return ::cudaFuncGetAttributes(attributes, (const void*)kernel);
}
template <class T>
static inline cudaError_t cudaFuncSetCacheConfig(T* kernel, cudaFuncCache config) {
    return ::cudaFuncSetCacheConfig((const void*)kernel, config);
}
template <class T>
static inline cudaError_t cudaFuncSetSharedMemConfig(T* kernel, cudaSharedMemConfig config) {
    return ::cudaFuncSetSharedMemConfig((const void*)kernel, config);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, T kernel, int block_size, size_t shared_bytes, unsigned int flags) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks, (const void*)kernel, block_size, shared_bytes, flags);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T kernel,
                                                                        int block_size,
                                                                        size_t shared_bytes) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void*)kernel,
                                                                    block_size, shared_bytes, 0u);
}
template <class T>
static inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, T* kernel,
                                                                    int blocks, int block_size) {
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void*)kernel, blocks,
                                                       block_size);
}

namespace leetk {

constexpr int multiprocessors = 132;
constexpr int block_limit = 1024;

// The block size that keeps the most threads on a multiprocessor, the largest among equals.
template <class T, class SharedBytes>
cudaError_t best_block_size(int* grid, int* block, T kernel, SharedBytes shared_bytes, int limit) {
    if (!grid || !block) return (cudaError_t)set_error(cudaErrorInvalidValue, "launch");
    if (limit <= 0 || limit > block_limit) limit = block_limit;
    int most = 0;
    for (int size = (limit + 31) / 32 * 32; size > 0; size -= 32) {
        const int threads = size < limit ? size : limit;
        int blocks = 0;
        const cudaError_t error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            &blocks, (const void*)kernel, threads, shared_bytes(threads), 0u);
        if (error != cudaSuccess) return error;
        if (blocks * threads > most) {
            most = blocks * threads;
            *block = threads;
            *grid = blocks * multiprocessors;
        }
    }
    return cudaSuccess;
}

template <size_t...>
struct Indices {};
template <size_t N, size_t... I>
struct IndicesTo : IndicesTo<N - 1, N - 1, I...> {};
template <size_t... I>
struct IndicesTo<0, I...> {
    using type = Indices<I...>;
};

// The arguments are read once, at the launch; each thread gets copies of its own.
template <class... P, size_t... I>
int launch_packed(const Site& site, Config config, void (*kernel)(P...), void** arguments,
                  Indices<I...>) {
    (void)arguments;
    const auto launch = [&](P... stored) {
        PointerArgument pointers[sizeof...(P) + 1];
        PointerArgument* next = pointers;
        int position = 0;
        (note_pointer(next, ++position, stored), ...);
        (void)position;
        config.function = (const void*)kernel;
        config.pointers = pointers;
        config.pointer_count = int(next - pointers);
        auto body = [&] { kernel(copy(stored)...); };
        using Body = decltype(body);
        return run_grid(
            site, config, [](void* context) { (*static_cast<Body*>(context))(); }, &body);
    };
    return launch(*static_cast<P*>(arguments[I])...);
}

}  // namespace leetk

template <class F, class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block,
                                                                         T kernel, F shared_bytes,
                                                                         int limit = 0) {
    return leetk::best_block_size(grid, block, kernel, shared_bytes, limit);
}
template <class F, class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int* grid, int* block, T kernel, F shared_bytes, int limit = 0, unsigned int = 0) {
    return leetk::best_block_size(grid, block, kernel, shared_bytes, limit);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, T kernel,
                                                             size_t shared_bytes = 0,
                                                             int limit = 0) {
    return leetk::best_block_size(grid, block, kernel, [=](int) { return shared_bytes; }, limit);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(
    int* grid, int* block, T kernel, size_t shared_bytes = 0, int limit = 0, unsigned int = 0) {
    return leetk::best_block_size(grid, block, kernel, [=](int) { return shared_bytes; }, limit);
}

#define LEETK_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()
template <class... P>
static inline cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block,
                                           void** arguments, size_t shared_bytes = 0,
                                           cudaStream_t stream = nullptr, LEETK_HERE) {
    return (cudaError_t)leetk::launch_packed(leetk::Site{file, line, "cudaLaunchKernel"},
                                             leetk::configure(grid, block, shared_bytes, stream),
                                             kernel, arguments,
                                             typename leetk::IndicesTo<sizeof...(P)>::type());
}
template <class... P>
static inline cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block,
                                                      void** arguments, size_t shared_bytes = 0,
                                                      cudaStream_t stream = nullptr, LEETK_HERE) {
    leetk::Config config = leetk::configure(grid, block, shared_bytes, stream);
    config.cooperative = true;
    return (cudaError_t)leetk::launch_packed(leetk::Site{file, line, "cudaLaunchCooperativeKernel"},
                                             config, kernel, arguments,
                                             typename leetk::IndicesTo<sizeof...(P)>::type());
}
#undef LEETK_HERE

#endif
