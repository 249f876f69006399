// Questions about the device, as CUB asks them.
#ifndef LEETK_CUB_UTIL_DEVICE_CUH
#define LEETK_CUB_UTIL_DEVICE_CUH
#pragma GCC system_header

#include "cub/util_debug.cuh"

namespace cub {

inline int CurrentDevice() {
    int device = -1;
    return cudaGetDevice(&device) == cudaSuccess ? device : -1;
}
inline int DeviceCount() {
    int count = -1;
    return cudaGetDeviceCount(&count) == cudaSuccess ? count : -1;
}
inline cudaError_t PtxVersion(int& ptx_version) {
    ptx_version = CUB_PTX_ARCH;
    return cudaSuccess;
}
inline cudaError_t SmVersion(int& sm_version, int = CurrentDevice()) {
    sm_version = CUB_PTX_ARCH;
    return cudaSuccess;
}
inline cudaError_t SyncStream(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

}  // namespace cub

#endif
