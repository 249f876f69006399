// What the CUDA headers of this backend (runtime/api) and rewritten launches (leetk/launch.h) build
// on. Implemented by leetk/*.cpp. Light on purpose: it is part of every solution's compile time, so
// no standard header beyond <stddef.h>, and nothing here is a template.
//
// Where a function takes `file` and `line`, they are those of the user's source: __FILE__ and
// __LINE__ in a macro, or __builtin_FILE() and __builtin_LINE() as default arguments.
#ifndef LEETK_CORE_H
#define LEETK_CORE_H
#pragma GCC system_header

#include <stddef.h>

#include "leetk/types.h"

#pragma GCC visibility push(hidden)

// Marks functions of the runtime that use pointers on the solution's behalf: a fault in one is
// reported at the line that called it.
#if defined(__APPLE__)
#define LEETK_RUNTIME_CODE
#else
#define LEETK_RUNTIME_CODE __attribute__((section("leetk_text"), noinline))
#endif

// Set at each switch between the threads of a block. They are const so that nobody writes them and
// so that a compiler may keep them in registers within one thread; the code that switches threads
// is never inlined into code that reads them.
extern "C" {
extern const uint3 threadIdx;
extern const uint3 blockIdx;
extern const dim3 blockDim;
extern const dim3 gridDim;
extern const int leetk_block_threads;
}
// No constant to the compiler proper, as in CUDA. It is one to the optimiser: the definition stands
// behind what a solution's file says (sources.py).
extern const int warpSize __attribute__((visibility("hidden")));

namespace leetk {

// ---- launches (scheduler.cpp) -------------------------------------------------------------------

// The pointers among a launch's arguments; `position` counts arguments from 1.
struct PointerArgument {
    int position;
    const void* pointer;
};

// <<<grid, block, shared, stream>>>. The rest is filled in by leetk/launch.h: `function` is the
// kernel's address where a launch knows it, the key of set_dynamic_limit; `pointers` are looked at
// before the launch, because a kernel can't use a pointer to plain host memory.
struct Config {
    dim3 grid;
    dim3 block;
    size_t shared = 0;
    void* stream = nullptr;
    const void* function = nullptr;
    const PointerArgument* pointers = nullptr;
    int pointer_count = 0;
    bool cooperative = false;  // grid.sync() is allowed
};

// Where a launch stands in the source, and the kernel's name as it is spelled there.
struct Site {
    const char* file;
    int line;
    const char* kernel;
};

// Runs body(context) once for each thread of the grid and returns when all have ended. Makes
// CUDA's launch checks first. Returns a cudaError code, which is also left for get_error.
int run_grid(const Site& site, const Config& config, void (*body)(void*), void* context);

// cudaFuncAttributeMaxDynamicSharedMemorySize for one kernel: returns a cudaError code.
int set_dynamic_limit(const void* function, size_t bytes);

// The most shared memory that a launch may ask for without and with set_dynamic_limit (H100).
constexpr size_t shared_default = 48 * 1024;
constexpr size_t shared_most = 227 * 1024;

// True in a kernel, false in host code.
bool in_kernel();
// The calling thread's rank in its block, x running fastest.
unsigned thread_rank();

// ---- synchronisation within a block (scheduler.cpp) ---------------------------------------------

// __syncthreads, and its three kin: over the block's live threads. Above a line's first bits stands
// which one of the barriers in that line it is, from 0.
constexpr int line_bits = 24;
void barrier(const char* file, int line);
int barrier_count(int predicate, const char* file, int line);
int barrier_and(int predicate, const char* file, int line);
int barrier_or(int predicate, const char* file, int line);

// grid.sync(): over all live threads of all blocks, in a cooperative launch.
void grid_barrier(const char* file, int line);
bool is_cooperative();

// Other runnable threads of the block go first: __nanosleep, and spinning on memory. Where all of
// them only yield, other blocks do.
void yield();
// The same in a loop that waits (rewrite/spins.py), which may be host code, too.
void spin();

// __launch_bounds__, at the start of a kernel.
void refuse_launch(int bound);

// ---- shared memory (shared.cpp) -----------------------------------------------------------------

// Where several blocks run at a time (cooperative launches, blocks that wait for each other), each
// has its own contents of this memory, beside its shared memory. For the runtime's own variables.
// Call it once for each, before any launch; true.
bool keep_with_block(void* begin, size_t bytes);

// The block's dynamic shared memory, 16-byte aligned (and 128, where the size allows it).
void* dynamic_shared();

// Whether an access is of interest to anybody: while kernels are traced or checked (trace.h). Of no
// interest are those to what the runtime keeps in the solution's shared memory.
extern bool watching;
void overlook(const void* begin, size_t bytes);

// ---- memory (memory.cpp) ------------------------------------------------------------------------

enum RegionKind { region_device, region_managed, region_pinned };

// One allocation. `name` is the argument's name or what was given to device_malloc.
struct Region {
    char* begin;
    size_t bytes;
    RegionKind kind;
    const char* name;
};

// Memory for cudaMalloc (region_device), cudaMallocManaged (region_managed) and cudaMallocHost
// (region_pinned): 256-byte aligned, poisoned, between guards. Null when there is none left.
// `what` is kept by pointer: a literal such as "cudaMalloc".
void* memory_alloc(size_t bytes, RegionKind kind, const char* what, const char* file, int line);
// Both return a cudaError code. A null pointer is fine; one that no allocation began with is not.
int memory_free(void* pointer, RegionKind kind);
int memory_register(void* host, size_t bytes);  // cudaHostRegister: now region_pinned
int memory_unregister(void* host);
void memory_info(size_t* free, size_t* total);

inline void* device_malloc(size_t bytes, const char* what) {
    return memory_alloc(bytes, region_device, what, "", 0);
}
inline int device_free(void* pointer) { return memory_free(pointer, region_device); }

// The region that holds the address, if any. Of the device's heap (malloc in a kernel) the host's
// functions know nothing, as in CUDA: no range lies in it.
bool find_region(const void* pointer, Region* region);
// True when [pointer, pointer + bytes) begins in no region, or lies in one as a whole. When false,
// `region` is the one that it begins in.
bool in_one_region(const void* pointer, size_t bytes, Region* region);
// Variables of the solution itself (__device__, __constant__, literals, functions).
bool in_library(const void* pointer);

// Host code can't touch device memory outside the life of one of these. They nest; launches open
// the memory themselves.
struct DeviceAccess {
    DeviceAccess();
    ~DeviceAccess();
    DeviceAccess(const DeviceAccess&) = delete;
    DeviceAccess& operator=(const DeviceAccess&) = delete;
};

// What cudaDeviceSynchronize and its kin call: launches have ended already, but in programs that
// launch very often device memory is left open in between, and closed here.
void synchronize();

// ---- errors and reports (errors.cpp, report.cpp) ------------------------------------------------

// cudaGetLastError (returns and clears), cudaPeekAtLastError. set_error(0) changes nothing. Kept
// for each host thread, as in CUDA. set_error returns its argument; `call` is what failed.
int set_error(int code, const char* call);
int get_error();
int peek_error();
// cudaGetErrorName and cudaGetErrorString; null for an unknown code.
const char* error_name(int code);
const char* error_text(int code);

// Writes a report (wire.RuntimeReport) for the judge, with thread, block and kernel when called in
// a kernel. A fatal one doesn't return: the process ends by SIGABRT. `message` is a printf format.
// Kinds are listed in wire.py.
void report(const char* kind, bool fatal, const char* message, ...)
        __attribute__((format(printf, 3, 4)));
void report_at(const char* file, int line, const char* kind, bool fatal, const char* message, ...)
        __attribute__((format(printf, 5, 6)));

// The 32-bit pattern that unwritten device and shared memory holds: as a float a signalling NaN.
unsigned poison_word();
void poison(void* begin, size_t bytes);

}  // namespace leetk

#pragma GCC visibility pop

#endif
