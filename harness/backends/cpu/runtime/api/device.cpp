// The device: what it says of itself, and the calls that concern it as a whole.
#include "api/device.h"

#include <stddef.h>
#include <string.h>

#include "api/internal.h"
#include "api/streams.h"
#include "leetk/fiber.h"
#include "leetk/heap.h"
#include "leetk/runtime.h"
#include "leetk/stream_order.h"

using leetk::leave;

namespace {

struct Attribute {
    cudaDeviceAttr attribute;
    int value;
};

// As an H200 answers cudaDeviceGetAttribute; what isn't here is 0.
constexpr Attribute attributes[] = {
    {cudaDevAttrMaxThreadsPerBlock, 1024},
    {cudaDevAttrMaxBlockDimX, 1024},
    {cudaDevAttrMaxBlockDimY, 1024},
    {cudaDevAttrMaxBlockDimZ, 64},
    {cudaDevAttrMaxGridDimX, 2147483647},
    {cudaDevAttrMaxGridDimY, 65535},
    {cudaDevAttrMaxGridDimZ, 65535},
    {cudaDevAttrMaxSharedMemoryPerBlock, 49152},
    {cudaDevAttrTotalConstantMemory, 65536},
    {cudaDevAttrWarpSize, 32},
    {cudaDevAttrMaxPitch, 2147483647},
    {cudaDevAttrMaxRegistersPerBlock, 65536},
    {cudaDevAttrClockRate, 1980000},
    {cudaDevAttrTextureAlignment, 512},
    {cudaDevAttrGpuOverlap, 1},
    {cudaDevAttrMultiProcessorCount, 132},
    {cudaDevAttrCanMapHostMemory, 1},
    {cudaDevAttrMaxTexture1DWidth, 131072},
    {cudaDevAttrMaxTexture2DWidth, 131072},
    {cudaDevAttrMaxTexture2DHeight, 65536},
    {cudaDevAttrMaxTexture3DWidth, 16384},
    {cudaDevAttrMaxTexture3DHeight, 16384},
    {cudaDevAttrMaxTexture3DDepth, 16384},
    {cudaDevAttrMaxTexture2DLayeredWidth, 32768},
    {cudaDevAttrMaxTexture2DLayeredHeight, 32768},
    {cudaDevAttrMaxTexture2DLayeredLayers, 2048},
    {cudaDevAttrSurfaceAlignment, 512},
    {cudaDevAttrConcurrentKernels, 1},
    {cudaDevAttrEccEnabled, 1},
    {cudaDevAttrMemoryClockRate, 3201000},
    {cudaDevAttrGlobalMemoryBusWidth, 6016},
    {cudaDevAttrL2CacheSize, 62914560},
    {cudaDevAttrMaxThreadsPerMultiProcessor, 2048},
    {cudaDevAttrAsyncEngineCount, 3},
    {cudaDevAttrUnifiedAddressing, 1},
    {cudaDevAttrMaxTexture1DLayeredWidth, 32768},
    {cudaDevAttrMaxTexture1DLayeredLayers, 2048},
    {cudaDevAttrMaxTexture2DGatherWidth, 32768},
    {cudaDevAttrMaxTexture2DGatherHeight, 32768},
    {cudaDevAttrMaxTexture3DWidthAlt, 8192},
    {cudaDevAttrMaxTexture3DHeightAlt, 8192},
    {cudaDevAttrMaxTexture3DDepthAlt, 32768},
    {cudaDevAttrTexturePitchAlignment, 32},
    {cudaDevAttrMaxTextureCubemapWidth, 32768},
    {cudaDevAttrMaxTextureCubemapLayeredWidth, 32768},
    {cudaDevAttrMaxTextureCubemapLayeredLayers, 2046},
    {cudaDevAttrMaxSurface1DWidth, 32768},
    {cudaDevAttrMaxSurface2DWidth, 131072},
    {cudaDevAttrMaxSurface2DHeight, 65536},
    {cudaDevAttrMaxSurface3DWidth, 16384},
    {cudaDevAttrMaxSurface3DHeight, 16384},
    {cudaDevAttrMaxSurface3DDepth, 16384},
    {cudaDevAttrMaxSurface1DLayeredWidth, 32768},
    {cudaDevAttrMaxSurface1DLayeredLayers, 2048},
    {cudaDevAttrMaxSurface2DLayeredWidth, 32768},
    {cudaDevAttrMaxSurface2DLayeredHeight, 32768},
    {cudaDevAttrMaxSurface2DLayeredLayers, 2048},
    {cudaDevAttrMaxSurfaceCubemapWidth, 32768},
    {cudaDevAttrMaxSurfaceCubemapLayeredWidth, 32768},
    {cudaDevAttrMaxSurfaceCubemapLayeredLayers, 2046},
    {cudaDevAttrMaxTexture1DLinearWidth, 268435456},
    {cudaDevAttrMaxTexture2DLinearWidth, 131072},
    {cudaDevAttrMaxTexture2DLinearHeight, 65000},
    {cudaDevAttrMaxTexture2DLinearPitch, 2097120},
    {cudaDevAttrMaxTexture2DMipmappedWidth, 32768},
    {cudaDevAttrMaxTexture2DMipmappedHeight, 32768},
    {cudaDevAttrComputeCapabilityMajor, 9},
    {cudaDevAttrMaxTexture1DMipmappedWidth, 32768},
    {cudaDevAttrStreamPrioritiesSupported, 1},
    {cudaDevAttrGlobalL1CacheSupported, 1},
    {cudaDevAttrLocalL1CacheSupported, 1},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, 233472},
    {cudaDevAttrMaxRegistersPerMultiprocessor, 65536},
    {cudaDevAttrManagedMemory, 1},
    {cudaDevAttrSingleToDoublePrecisionPerfRatio, 2},
    {cudaDevAttrConcurrentManagedAccess, 1},
    {cudaDevAttrComputePreemptionSupported, 1},
    {cudaDevAttrCanUseHostPointerForRegisteredMem, 1},
    {cudaDevAttrCooperativeLaunch, 1},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin, 232448},
    {cudaDevAttrHostRegisterSupported, 1},
    {cudaDevAttrMaxBlocksPerMultiprocessor, 32},
    {cudaDevAttrMaxPersistingL2CacheSize, 39321600},
    {cudaDevAttrMaxAccessPolicyWindowSize, 134217728},
    {cudaDevAttrReservedSharedMemoryPerBlock, 1024},
    {cudaDevAttrSparseCudaArraySupported, 1},
    {cudaDevAttrHostRegisterReadOnlySupported, 1},
    {cudaDevAttrTimelineSemaphoreInteropSupported, 1},
    {cudaDevAttrMemoryPoolsSupported, 1},
    {cudaDevAttrGPUDirectRDMASupported, 1},
    {cudaDevAttrGPUDirectRDMAFlushWritesOptions, 1},
    {cudaDevAttrGPUDirectRDMAWritesOrdering, 100},
    {cudaDevAttrMemoryPoolSupportedHandleTypes, 9},
    {cudaDevAttrClusterLaunch, 1},
    {cudaDevAttrDeferredMappingCudaArraySupported, 1},
    {cudaDevAttrIpcEventSupport, 1},
    {cudaDevAttrMemSyncDomainCount, 4},
    {cudaDevAttrNumaId, -1},
    {cudaDevAttrHostNumaMemoryPoolsSupported, 1},
    {cudaDevAttrHostMemoryPoolsSupported, 1},
};

int attribute_of(cudaDeviceAttr attribute) {
    for (const Attribute& known : attributes)
        if (known.attribute == attribute) return known.value;
    return 0;
}

constexpr int last_attribute = cudaDevAttrOnlyPartialHostNativeAtomicSupported;
constexpr int runtime_version = 13000;
constexpr int limit_count = cudaLimitPersistingL2CacheSize + 1;

// By cudaLimit.
size_t limits[limit_count] = {1024, 8650752, 8388608, 2, 2048, 64, 0};
cudaFuncCache cache_config = cudaFuncCachePreferNone;
unsigned device_flags = cudaDeviceScheduleAuto | cudaDeviceMapHost;

cudaError_t check_device(int device) {
    return device == 0 ? cudaSuccess : leave(cudaErrorInvalidDevice);
}

// A member of cudaDeviceProp that an attribute gives, and whether it is a size_t.
struct Member {
    size_t offset;
    cudaDeviceAttr attribute;
    bool wide;
};
#define LEETK_INT(member, attribute) {offsetof(cudaDeviceProp, member), attribute, false}
#define LEETK_SIZE(member, attribute) {offsetof(cudaDeviceProp, member), attribute, true}
constexpr Member members[] = {
    LEETK_SIZE(sharedMemPerBlock, cudaDevAttrMaxSharedMemoryPerBlock),
    LEETK_SIZE(sharedMemPerBlockOptin, cudaDevAttrMaxSharedMemoryPerBlockOptin),
    LEETK_SIZE(sharedMemPerMultiprocessor, cudaDevAttrMaxSharedMemoryPerMultiprocessor),
    LEETK_SIZE(reservedSharedMemPerBlock, cudaDevAttrReservedSharedMemoryPerBlock),
    LEETK_INT(regsPerBlock, cudaDevAttrMaxRegistersPerBlock),
    LEETK_INT(regsPerMultiprocessor, cudaDevAttrMaxRegistersPerMultiprocessor),
    LEETK_INT(warpSize, cudaDevAttrWarpSize),
    LEETK_SIZE(memPitch, cudaDevAttrMaxPitch),
    LEETK_INT(maxThreadsPerBlock, cudaDevAttrMaxThreadsPerBlock),
    LEETK_INT(maxThreadsPerMultiProcessor, cudaDevAttrMaxThreadsPerMultiProcessor),
    LEETK_INT(maxBlocksPerMultiProcessor, cudaDevAttrMaxBlocksPerMultiprocessor),
    LEETK_SIZE(totalConstMem, cudaDevAttrTotalConstantMemory),
    LEETK_INT(major, cudaDevAttrComputeCapabilityMajor),
    LEETK_INT(minor, cudaDevAttrComputeCapabilityMinor),
    LEETK_INT(multiProcessorCount, cudaDevAttrMultiProcessorCount),
    LEETK_SIZE(textureAlignment, cudaDevAttrTextureAlignment),
    LEETK_SIZE(texturePitchAlignment, cudaDevAttrTexturePitchAlignment),
    LEETK_SIZE(surfaceAlignment, cudaDevAttrSurfaceAlignment),
    LEETK_INT(canMapHostMemory, cudaDevAttrCanMapHostMemory),
    LEETK_INT(concurrentKernels, cudaDevAttrConcurrentKernels),
    LEETK_INT(ECCEnabled, cudaDevAttrEccEnabled),
    LEETK_INT(asyncEngineCount, cudaDevAttrAsyncEngineCount),
    LEETK_INT(deviceOverlap, cudaDevAttrGpuOverlap),
    LEETK_INT(unifiedAddressing, cudaDevAttrUnifiedAddressing),
    LEETK_INT(memoryBusWidth, cudaDevAttrGlobalMemoryBusWidth),
    LEETK_INT(memoryClockRate, cudaDevAttrMemoryClockRate),
    LEETK_INT(clockRate, cudaDevAttrClockRate),
    LEETK_INT(l2CacheSize, cudaDevAttrL2CacheSize),
    LEETK_INT(persistingL2CacheMaxSize, cudaDevAttrMaxPersistingL2CacheSize),
    LEETK_INT(accessPolicyMaxWindowSize, cudaDevAttrMaxAccessPolicyWindowSize),
    LEETK_INT(streamPrioritiesSupported, cudaDevAttrStreamPrioritiesSupported),
    LEETK_INT(globalL1CacheSupported, cudaDevAttrGlobalL1CacheSupported),
    LEETK_INT(localL1CacheSupported, cudaDevAttrLocalL1CacheSupported),
    LEETK_INT(managedMemory, cudaDevAttrManagedMemory),
    LEETK_INT(concurrentManagedAccess, cudaDevAttrConcurrentManagedAccess),
    LEETK_INT(computePreemptionSupported, cudaDevAttrComputePreemptionSupported),
    LEETK_INT(canUseHostPointerForRegisteredMem, cudaDevAttrCanUseHostPointerForRegisteredMem),
    LEETK_INT(cooperativeLaunch, cudaDevAttrCooperativeLaunch),
    LEETK_INT(hostRegisterSupported, cudaDevAttrHostRegisterSupported),
    LEETK_INT(memoryPoolsSupported, cudaDevAttrMemoryPoolsSupported),
    LEETK_INT(clusterLaunch, cudaDevAttrClusterLaunch),
    LEETK_INT(singleToDoublePrecisionPerfRatio, cudaDevAttrSingleToDoublePrecisionPerfRatio),
    LEETK_INT(maxTexture1D, cudaDevAttrMaxTexture1DWidth),
    LEETK_INT(maxTexture2D[0], cudaDevAttrMaxTexture2DWidth),
    LEETK_INT(maxTexture2D[1], cudaDevAttrMaxTexture2DHeight),
    LEETK_INT(maxTexture3D[0], cudaDevAttrMaxTexture3DWidth),
    LEETK_INT(maxTexture3D[1], cudaDevAttrMaxTexture3DHeight),
    LEETK_INT(maxTexture3D[2], cudaDevAttrMaxTexture3DDepth),
    LEETK_INT(maxThreadsDim[0], cudaDevAttrMaxBlockDimX),
    LEETK_INT(maxThreadsDim[1], cudaDevAttrMaxBlockDimY),
    LEETK_INT(maxThreadsDim[2], cudaDevAttrMaxBlockDimZ),
    LEETK_INT(maxGridSize[0], cudaDevAttrMaxGridDimX),
    LEETK_INT(maxGridSize[1], cudaDevAttrMaxGridDimY),
    LEETK_INT(maxGridSize[2], cudaDevAttrMaxGridDimZ),
};
#undef LEETK_INT
#undef LEETK_SIZE

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
    if (!count) return leave(cudaErrorInvalidValue);
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
    if (!device) return leave(cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) { return check_device(device); }

cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) { return check_device(device); }

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
    if (!wanted) return leave(cudaErrorInvalidValue);
    return cudaGetDevice(device);
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
    if (flags & ~unsigned(cudaDeviceMask)) return leave(cudaErrorInvalidValue);
    device_flags = flags | cudaDeviceMapHost;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
    if (!flags) return leave(cudaErrorInvalidValue);
    *flags = device_flags;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    if (!properties) return leave(cudaErrorInvalidValue);
    const cudaError_t error = check_device(device);
    if (error != cudaSuccess) return error;
    memset(properties, 0, sizeof *properties);
    strcpy(properties->name, "leetk CPU backend (compute capability 9.0)");
    size_t free = 0;
    leetk::memory_info(&free, &properties->totalGlobalMem);
    for (const Member& member : members) {
        char* to = reinterpret_cast<char*>(properties) + member.offset;
        const int value = attribute_of(member.attribute);
        const size_t wide = size_t(value);
        memcpy(to, member.wide ? static_cast<const void*>(&wide) : &value,
               member.wide ? sizeof wide : sizeof value);
    }
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    if (!value || attribute < 1 || attribute > last_attribute) return leave(cudaErrorInvalidValue);
    const cudaError_t error = check_device(device);
    if (error == cudaSuccess) *value = attribute_of(attribute);
    return error;
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
    static const char id[] = "0000:00:00.0";
    if (!text || length < (int)sizeof id) return leave(cudaErrorInvalidValue);
    const cudaError_t error = check_device(device);
    if (error == cudaSuccess) memcpy(text, id, sizeof id);
    return error;
}

// Nothing is pending. The code of an earlier launch stays for cudaGetLastError, as in CUDA.
cudaError_t cudaDeviceSynchronize() {
    if (leetk::is_forked()) return leave(cudaErrorInitializationError);
    leetk::synchronize();
    leetk::order_host_for_all();
    return cudaSuccess;
}

cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
    if (limit < 0 || limit >= limit_count) return leave(cudaErrorInvalidValue);
    if (limit == cudaLimitMallocHeapSize && leetk::set_heap_limit(value) != 0)
        return leave(cudaErrorInvalidValue);
    if (limit == cudaLimitStackSize) leetk::set_stack_limit(value);
    limits[limit] = value;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
    if (!value || limit < 0 || limit >= limit_count) return leave(cudaErrorInvalidValue);
    *value = limit == cudaLimitMallocHeapSize ? leetk::heap_limit() : limits[limit];
    return cudaSuccess;
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
    cache_config = config;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
    if (!config) return leave(cudaErrorInvalidValue);
    *config = cache_config;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    if (!config) return leave(cudaErrorInvalidValue);
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    if (least) *least = 0;
    if (greatest) *greatest = -5;
    return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
    if (!can) return leave(cudaErrorInvalidValue);
    if (device != 0 || peer != 0) return leave(cudaErrorInvalidDevice);
    *can = 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) { return leave(cudaErrorInvalidDevice); }

cudaError_t cudaDeviceDisablePeerAccess(int) { return leave(cudaErrorInvalidDevice); }

cudaError_t cudaDriverGetVersion(int* version) { return cudaRuntimeGetVersion(version); }

cudaError_t cudaRuntimeGetVersion(int* version) {
    if (!version) return leave(cudaErrorInvalidValue);
    *version = runtime_version;
    return cudaSuccess;
}

cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }

cudaError_t cudaProfilerStart() { return cudaSuccess; }

cudaError_t cudaProfilerStop() { return cudaSuccess; }

}  // extern "C"

// Fatal: on a GPU the judge's next call fails with it, whatever solve does afterwards.
cudaError_t cudaDeviceReset(const char* file, int line) {
    leetk::report_at(file, line, "api", true,
                     "cudaDeviceReset() destroys the arrays that solve was given, and all else "
                     "on the device; remove the call");
    return cudaSuccess;
}
