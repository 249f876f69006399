// Asks the runtime API what it answers, right and wrong calls alike, and prints one line for each
// question: `name code`. Run on a GPU it gives expected/api_rules.txt (an H200, CUDA 13.0, driver
// 580); the CPU backend must give the same. Launches go through cudaLaunchKernel, so that the file
// compiles without the rewriter.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

__device__ float device_values[16];
__constant__ float constant_values[16];

__global__ void fill(float* to, float value) { to[threadIdx.x] = value; }
__global__ void nothing() {}
__global__ void __launch_bounds__(128) bounded() {}
__global__ void add_symbols(float* to) {
  to[threadIdx.x] = device_values[threadIdx.x] + constant_values[threadIdx.x];
}

static void say(const char* name, cudaError_t code) { printf("%s %d\n", name, (int)code); }
static void value(const char* name, double x) { printf("%s %.17g\n", name, x); }

enum Where { pageable, pinned, device, managed, symbol, where_count };
static const char* const where_names[] = {"pageable", "pinned", "device", "managed", "symbol"};
static float* places[where_count][2];

static void make_places() {
  for (int i = 0; i < 2; ++i) {
    places[pageable][i] = (float*)malloc(64);
    cudaMallocHost(&places[pinned][i], 64);
    cudaMalloc(&places[device][i], 64);
    cudaMallocManaged(&places[managed][i], 64);
    cudaGetSymbolAddress((void**)&places[symbol][i], device_values);
  }
}

static void copies() {
  for (int kind = 0; kind <= 5; ++kind)
    for (int to = 0; to < where_count; ++to)
      for (int from = 0; from < where_count; ++from) {
        char name[80];
        snprintf(name, sizeof name, "memcpy kind=%d %s<-%s", kind, where_names[to],
                 where_names[from]);
        say(name, cudaMemcpy(places[to][0], places[from][1], 32, (cudaMemcpyKind)kind));
        cudaGetLastError();
      }
  float* d = places[device][0];
  float* h = places[pageable][0];
  say("memcpy null to", cudaMemcpy(nullptr, h, 4, cudaMemcpyHostToDevice));
  say("memcpy null from", cudaMemcpy(d, nullptr, 4, cudaMemcpyHostToDevice));
  say("memcpy null host to", cudaMemcpy(nullptr, d, 4, cudaMemcpyDeviceToHost));
  say("memcpy nothing", cudaMemcpy(d, h, 0, cudaMemcpyHostToDevice));
  say("memcpy nothing null", cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
  say("memcpy nothing wrong way", cudaMemcpy(h, d, 0, cudaMemcpyHostToDevice));
  say("memcpy async wrong way", cudaMemcpyAsync(h, d, 4, cudaMemcpyHostToDevice));
  cudaGetLastError();
}

static void far_copies() {
  char* d;
  static char h[8 << 20];
  cudaMalloc(&d, 3 << 20);
  say("memcpy 8 MiB into 3", cudaMemcpy(d, h, 8 << 20, cudaMemcpyHostToDevice));
  say("memcpy 8 MiB out of 3", cudaMemcpy(h, d, 8 << 20, cudaMemcpyDeviceToHost));
  say("memset 8 MiB of 3", cudaMemset(d, 0, 8 << 20));
  say("memcpy within", cudaMemcpy(d + (1 << 20), h, 2 << 20, cudaMemcpyHostToDevice));
  cudaGetLastError();
  say("free", cudaFree(d));
  say("memcpy freed", cudaMemcpy(d, h, 4, cudaMemcpyHostToDevice));
  say("memset freed", cudaMemset(d, 0, 4));
  cudaGetLastError();
}

static void sets() {
  say("memset device", cudaMemset(places[device][0], 1, 64));
  say("memset managed", cudaMemset(places[managed][0], 1, 64));
  say("memset pinned", cudaMemset(places[pinned][0], 1, 64));
  say("memset pageable", cudaMemset(places[pageable][0], 1, 64));
  say("memset null", cudaMemset(nullptr, 1, 64));
  say("memset nothing", cudaMemset(places[device][0], 1, 0));
  say("memset nothing null", cudaMemset(nullptr, 1, 0));
  say("memset2d", cudaMemset2D(places[device][0], 16, 7, 8, 4));
  say("memset2d wide", cudaMemset2D(places[device][0], 16, 7, 17, 3));
  cudaGetLastError();
}

static void copies_2d() {
  float* d = places[device][0];
  float* h = places[pageable][0];
  say("memcpy2d", cudaMemcpy2D(d, 16, h, 8, 8, 4, cudaMemcpyHostToDevice));
  say("memcpy2d wide to", cudaMemcpy2D(d, 8, h, 16, 12, 2, cudaMemcpyHostToDevice));
  say("memcpy2d wide from", cudaMemcpy2D(d, 16, h, 8, 12, 2, cudaMemcpyHostToDevice));
  say("memcpy2d nothing", cudaMemcpy2D(d, 16, h, 8, 0, 4, cudaMemcpyHostToDevice));
  say("memcpy2d wrong way", cudaMemcpy2D(d, 16, h, 8, 8, 4, cudaMemcpyDeviceToHost));
  cudaGetLastError();
  for (int kind = 0; kind <= 4; ++kind) {
    char name[80];
    snprintf(name, sizeof name, "memcpy2d kind=%d device<-device", kind);
    say(name, cudaMemcpy2D(d, 4, places[device][1], 8, 4, 4, (cudaMemcpyKind)kind));
  }
}

static void allocations() {
  void* p = (void*)16;
  say("malloc 0", cudaMalloc(&p, 0));
  value("malloc 0 is null", p == nullptr);
  say("malloc null", cudaMalloc((void**)nullptr, 4));
  say("malloc huge", cudaMalloc(&p, (size_t)1 << 50));
  say("malloc most", cudaMalloc(&p, ~(size_t)0));
  say("mallochost 0", cudaMallocHost(&p, 0));
  value("mallochost 0 is null", p == nullptr);
  say("mallocmanaged 0", cudaMallocManaged(&p, 0));
  say("mallocmanaged flags", cudaMallocManaged(&p, 4, 0));
  say("mallocmanaged host flag", cudaMallocManaged(&p, 4, cudaMemAttachHost));
  size_t pitch = 0;
  say("mallocpitch", cudaMallocPitch(&p, &pitch, 100, 3));
  value("pitch of 100", (double)pitch);
  say("mallocpitch 0", cudaMallocPitch(&p, &pitch, 0, 3));
  say("mallocasync", cudaMallocAsync(&p, 64, 0));
  say("freeasync", cudaFreeAsync(p, 0));
  say("hostalloc flags", cudaHostAlloc(&p, 64, cudaHostAllocMapped | cudaHostAllocPortable));
  say("hostalloc bad flags", cudaHostAlloc(&p, 64, 0x1000));
  cudaGetLastError();
}

static void frees() {
  char *d, *m, *k;
  cudaMalloc(&d, 64);
  cudaMallocManaged(&m, 64);
  cudaMallocHost(&k, 64);
  say("free null", cudaFree(nullptr));
  say("free inside", cudaFree(d + 4));
  say("free pageable", cudaFree(places[pageable][0]));
  say("free pinned", cudaFree(k));
  say("free device", cudaFree(d));
  say("free device twice", cudaFree(d));
  say("free managed", cudaFree(m));
  say("freehost null", cudaFreeHost(nullptr));
  say("freehost pageable", cudaFreeHost(places[pageable][0]));
  say("freehost device", cudaFreeHost(places[device][0]));
  say("freehost pinned", cudaFreeHost(k));
  say("freehost pinned twice", cudaFreeHost(k));
  say("free symbol", cudaFree(places[symbol][0]));
  cudaGetLastError();
}

static void registrations() {
  char* h = (char*)aligned_alloc(4096, 8192);
  say("register", cudaHostRegister(h, 8192, cudaHostRegisterDefault));
  say("register again", cudaHostRegister(h, 8192, cudaHostRegisterDefault));
  say("unregister", cudaHostUnregister(h));
  say("unregister again", cudaHostUnregister(h));
  say("register null", cudaHostRegister(nullptr, 8192, cudaHostRegisterDefault));
  say("register nothing", cudaHostRegister(h, 0, cudaHostRegisterDefault));
  void* p = nullptr;
  say("devicepointer pinned", cudaHostGetDevicePointer(&p, places[pinned][0], 0));
  value("devicepointer same", p == places[pinned][0]);
  say("devicepointer pageable", cudaHostGetDevicePointer(&p, places[pageable][0], 0));
  cudaGetLastError();
  for (int w = 0; w < where_count; ++w) {
    cudaPointerAttributes a;
    memset(&a, 0, sizeof a);
    char name[80];
    snprintf(name, sizeof name, "attributes %s", where_names[w]);
    say(name, cudaPointerGetAttributes(&a, places[w][0]));
    printf("attributes %s type=%d device=%d devicePointer=%d hostPointer=%d\n", where_names[w],
           (int)a.type, a.device, a.devicePointer != nullptr, a.hostPointer != nullptr);
  }
  free(h);
}

static void symbols() {
  float in[32], out[32];
  for (int i = 0; i < 32; ++i) in[i] = (float)i, out[i] = -1;
  say("tosymbol", cudaMemcpyToSymbol(device_values, in, sizeof device_values));
  say("tosymbol constant", cudaMemcpyToSymbol(constant_values, in, 32, 32));
  say("tosymbol beyond", cudaMemcpyToSymbol(device_values, in, 128));
  say("tosymbol offset beyond", cudaMemcpyToSymbol(device_values, in, 64, 4));
  say("tosymbol wrong kind", cudaMemcpyToSymbol(device_values, in, 64, 0, cudaMemcpyDeviceToHost));
  say("tosymbol null", cudaMemcpyToSymbol(device_values, nullptr, 64));
  say("tosymbol d2d",
      cudaMemcpyToSymbol(device_values, places[device][0], 4, 0, cudaMemcpyDeviceToDevice));
  cudaMemcpyToSymbol(device_values, in, sizeof device_values);
  say("fromsymbol", cudaMemcpyFromSymbol(out, device_values, 32, 16));
  value("fromsymbol 0", out[0]);
  value("fromsymbol 7", out[7]);
  value("fromsymbol 8", out[8]);
  size_t size = 0;
  say("symbolsize", cudaGetSymbolSize(&size, constant_values));
  value("symbolsize", (double)size);
  say("tosymbol no symbol", cudaMemcpyToSymbol(in, out, 4));
  say("symboladdress no symbol", cudaGetSymbolAddress((void**)&places[symbol][1], in));
  cudaGetLastError();
  float* d = places[device][0];
  void* arguments[] = {&d};
  say("launch add_symbols", cudaLaunchKernel(add_symbols, dim3(1), dim3(16), arguments, 0, 0));
  cudaMemcpy(out, d, 64, cudaMemcpyDeviceToHost);
  value("add_symbols 3", out[3]);
  value("add_symbols 9", out[9]);
}

static void streams() {
  cudaStream_t s, t;
  say("streamcreate", cudaStreamCreate(&s));
  say("streamcreate null", cudaStreamCreate(nullptr));
  say("streamcreate flags", cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
  say("streamcreate bad flags", cudaStreamCreateWithFlags(&t, 8));
  say("streamsync", cudaStreamSynchronize(s));
  say("streamsync 0", cudaStreamSynchronize(0));
  say("streamsync legacy", cudaStreamSynchronize(cudaStreamLegacy));
  say("streamsync perthread", cudaStreamSynchronize(cudaStreamPerThread));
  say("streamquery", cudaStreamQuery(s));
  say("streamdestroy", cudaStreamDestroy(s));
  say("streamdestroy 0", cudaStreamDestroy(0));
  cudaGetLastError();
  cudaEvent_t a, b, untimed;
  float ms = -1;
  say("eventcreate", cudaEventCreate(&a));
  say("eventcreate", cudaEventCreate(&b));
  say("eventcreate null", cudaEventCreate(nullptr));
  say("eventcreate untimed", cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  say("eventcreate bad flags", cudaEventCreateWithFlags(&untimed, 64));
  say("eventquery unrecorded", cudaEventQuery(a));
  say("eventsync unrecorded", cudaEventSynchronize(a));
  say("elapsed unrecorded", cudaEventElapsedTime(&ms, a, b));
  say("eventrecord", cudaEventRecord(a));
  say("eventrecord", cudaEventRecord(b, 0));
  say("eventrecord untimed", cudaEventRecord(untimed));
  say("eventsync", cudaEventSynchronize(b));
  say("eventquery", cudaEventQuery(b));
  say("elapsed", cudaEventElapsedTime(&ms, a, b));
  value("elapsed not negative", ms >= 0);
  say("elapsed null", cudaEventElapsedTime(nullptr, a, b));
  say("elapsed untimed", cudaEventElapsedTime(&ms, a, untimed));
  say("waitevent", cudaStreamWaitEvent(0, a, 0));
  say("eventdestroy", cudaEventDestroy(a));
  say("eventdestroy null", cudaEventDestroy(nullptr));
  say("eventrecord null", cudaEventRecord(nullptr));
  cudaGetLastError();
}

static void errors() {
  say("peek clean", cudaPeekAtLastError());
  cudaMalloc((void**)nullptr, 4);
  say("success keeps the error: synchronise", cudaDeviceSynchronize());
  say("peek", cudaPeekAtLastError());
  say("get", cudaGetLastError());
  say("get again", cudaGetLastError());
  printf("name %s %s\n", cudaGetErrorName(cudaErrorInvalidConfiguration),
         cudaGetErrorName((cudaError_t)12345));
  printf("string %s %s\n", cudaGetErrorString(cudaErrorInvalidConfiguration),
         cudaGetErrorString((cudaError_t)12345));
}

static void devices() {
  int n = -1;
  say("devicecount", cudaGetDeviceCount(&n));
  value("devicecount", n);
  say("devicecount null", cudaGetDeviceCount(nullptr));
  say("getdevice", cudaGetDevice(&n));
  value("getdevice", n);
  say("setdevice 0", cudaSetDevice(0));
  say("setdevice 99", cudaSetDevice(99));
  say("setdevice -1", cudaSetDevice(-1));
  cudaDeviceProp p;
  say("properties 99", cudaGetDeviceProperties(&p, 99));
  say("properties", cudaGetDeviceProperties(&p, 0));
  printf("properties %d.%d sm=%d warp=%d block=%d dims=%d,%d,%d grid=%d,%d,%d\n", p.major, p.minor,
         p.multiProcessorCount, p.warpSize, p.maxThreadsPerBlock, p.maxThreadsDim[0],
         p.maxThreadsDim[1], p.maxThreadsDim[2], p.maxGridSize[0], p.maxGridSize[1],
         p.maxGridSize[2]);
  printf("properties shared=%zu optin=%zu sm=%zu reserved=%zu regs=%d,%d const=%zu\n",
         p.sharedMemPerBlock, p.sharedMemPerBlockOptin, p.sharedMemPerMultiprocessor,
         p.reservedSharedMemPerBlock, p.regsPerBlock, p.regsPerMultiprocessor, p.totalConstMem);
  printf("properties threads=%d blocks=%d l2=%d bus=%d unified=%d managed=%d concurrent=%d\n",
         p.maxThreadsPerMultiProcessor, p.maxBlocksPerMultiProcessor, p.l2CacheSize,
         p.memoryBusWidth, p.unifiedAddressing, p.managedMemory, p.concurrentKernels);
  printf("properties align=%zu,%zu pitch=%zu engines=%d coop=%d integrated=%d map=%d ecc=%d\n",
         p.textureAlignment, p.texturePitchAlignment, p.memPitch, p.asyncEngineCount,
         p.cooperativeLaunch, p.integrated, p.canMapHostMemory, p.ECCEnabled);
  static const int shared[] = {1, 2, 5, 8, 10, 16, 39, 75, 76, 81, 82, 97, 106, 111};
  for (int attribute : shared) {
    char name[40];
    snprintf(name, sizeof name, "attribute %d", attribute);
    int got = -1;
    cudaDeviceGetAttribute(&got, (cudaDeviceAttr)attribute, 0);
    value(name, got);
  }
  say("attribute 9999", cudaDeviceGetAttribute(&n, (cudaDeviceAttr)9999, 0));
  say("attribute device 99", cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 99));
  size_t limit = 0;
  say("getlimit", cudaDeviceGetLimit(&limit, cudaLimitStackSize));
  value("getlimit stack", (double)limit);
  cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize);
  value("getlimit printf", (double)limit);
  cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
  value("getlimit heap", (double)limit);
  say("setlimit", cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  say("setlimit bad", cudaDeviceSetLimit((cudaLimit)77, 4096));
  say("cacheconfig", cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  say("peer self", cudaDeviceCanAccessPeer(&n, 0, 0));
  value("peer self", n);
  int least = 9, greatest = 9;
  say("priorities", cudaDeviceGetStreamPriorityRange(&least, &greatest));
  printf("priorities %d %d\n", least, greatest);
  cudaGetLastError();
}

static void launches() {
  float* d = places[device][0];
  float five = 5;
  void* arguments[] = {&d, &five};
  float out[16];
  say("launch", cudaLaunchKernel(fill, dim3(1), dim3(16), arguments, 0, 0));
  say("launch sync", cudaDeviceSynchronize());
  cudaMemcpy(out, d, 64, cudaMemcpyDeviceToHost);
  value("launch wrote", out[15]);
  say("launch grid 0", cudaLaunchKernel(nothing, dim3(0), dim3(1), nullptr, 0, 0));
  say("launch grid 0 peek", cudaPeekAtLastError());
  say("launch block 0", cudaLaunchKernel(nothing, dim3(1), dim3(0), nullptr, 0, 0));
  say("launch block 1025", cudaLaunchKernel(nothing, dim3(1), dim3(1025), nullptr, 0, 0));
  say("launch block 33x32", cudaLaunchKernel(nothing, dim3(1), dim3(33, 32), nullptr, 0, 0));
  say("launch block z 65", cudaLaunchKernel(nothing, dim3(1), dim3(1, 1, 65), nullptr, 0, 0));
  say("launch grid y 65536", cudaLaunchKernel(nothing, dim3(1, 65536), dim3(1), nullptr, 0, 0));
  say("launch grid z 65536", cudaLaunchKernel(nothing, dim3(1, 1, 65536), dim3(1), nullptr, 0, 0));
  say("launch grid x 2^31", cudaLaunchKernel(nothing, dim3(0x80000000u), dim3(1), nullptr, 0, 0));
  say("launch shared 48K", cudaLaunchKernel(nothing, dim3(1), dim3(1), nullptr, 49152, 0));
  say("launch shared 48K+1", cudaLaunchKernel(nothing, dim3(1), dim3(1), nullptr, 49153, 0));
  say("launch bounds 128", cudaLaunchKernel(bounded, dim3(1), dim3(128), nullptr, 0, 0));
  const cudaFuncAttribute most = cudaFuncAttributeMaxDynamicSharedMemorySize;
  say("attribute shared 227K+1", cudaFuncSetAttribute(nothing, most, 232449));
  say("attribute shared -1", cudaFuncSetAttribute(nothing, most, -1));
  say("attribute shared 227K", cudaFuncSetAttribute(nothing, most, 232448));
  say("launch shared 227K", cudaLaunchKernel(nothing, dim3(1), dim3(1), nullptr, 232448, 0));
  say("launch shared 227K+1", cudaLaunchKernel(nothing, dim3(1), dim3(1), nullptr, 232449, 0));
  say("attribute carveout",
      cudaFuncSetAttribute(nothing, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
  say("attribute carveout 101",
      cudaFuncSetAttribute(nothing, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
  say("attribute bad", cudaFuncSetAttribute(nothing, (cudaFuncAttribute)99, 1));
  say("cacheconfig", cudaFuncSetCacheConfig(nothing, cudaFuncCachePreferShared));
  cudaGetLastError();
  cudaFuncAttributes a;
  say("funcattributes", cudaFuncGetAttributes(&a, nothing));
  printf("funcattributes shared=%zu dynamic=%d threads=%d binary=%d\n", a.sharedSizeBytes,
         a.maxDynamicSharedSizeBytes, a.maxThreadsPerBlock, a.binaryVersion);
  int sizes[] = {1, 32, 33, 64, 256, 384, 1024};
  for (int size : sizes)
    for (int shared : {0, 1024, 16384, 49152}) {
      int blocks = -1;
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, size, shared);
      printf("occupancy %d %d: %d\n", size, shared, blocks);
    }
  int blocks = -1;
  say("occupancy 0", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 0, 0));
  say("occupancy 1025", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 1025, 0));
  value("occupancy 1025", blocks);
  int grid = 0, block = 0;
  say("blocksize", cudaOccupancyMaxPotentialBlockSize(&grid, &block, nothing, 0, 0));
  printf("blocksize %d %d\n", grid, block);
  say("blocksize limit", cudaOccupancyMaxPotentialBlockSize(&grid, &block, nothing, 0, 200));
  printf("blocksize limit %d %d\n", grid, block);
  cudaGetLastError();
}

int main() {
  setvbuf(stdout, nullptr, _IOLBF, 1 << 12);
  make_places();
  say("made", cudaGetLastError());
  copies();
  far_copies();
  sets();
  copies_2d();
  allocations();
  frees();
  registrations();
  symbols();
  streams();
  errors();
  devices();
  launches();
  say("end", cudaDeviceSynchronize());
  return 0;
}
