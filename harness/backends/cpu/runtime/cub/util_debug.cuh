// CubDebug, CubDebugExit: say where a call failed.
#ifndef LEETK_CUB_UTIL_DEBUG_CUH
#define LEETK_CUB_UTIL_DEBUG_CUH
#pragma GCC system_header

#include <stdio.h>
#include <stdlib.h>

#include "cub/config.cuh"

namespace cub {

// Returns `error`. As with CUB, the message needs CUB_STDERR.
inline cudaError_t Debug(cudaError_t error, const char* file, int line) {
#if defined(CUB_STDERR)
    if (error != cudaSuccess) {
        fprintf(stderr, "CUDA error %d [%s, %d]: %s\n", int(error), file, line,
                cudaGetErrorString(error));
    }
#else
    (void)file;
    (void)line;
#endif
    return error;
}

}  // namespace cub

#define CubDebug(call) ::cub::Debug((cudaError_t)(call), __FILE__, __LINE__)
#define CubDebugExit(call)                                                     \
    do {                                                                       \
        if (::cub::Debug((cudaError_t)(call), __FILE__, __LINE__)) exit(1);    \
    } while (0)

#endif
