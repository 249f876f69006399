// Compiled into every library that the cuda backend builds: what only code inside it can know.
//
// - A submission's launch errors are kept by the CUDA runtime that its own library is linked with,
//   which no other copy of the runtime in the process can ask; the functions here ask that one.
// - The linker's --wrap leads the submission's allocations, frees and resets here, where they are
//   counted or noticed.
//
// The runtime's functions are declared under names of our own, so that this file compiles in a
// blink, with any toolkit, and also where the runtime's headers were included ahead of it.

extern "C" {

typedef __SIZE_TYPE__ leetk_size;

int leetk_runtime_peek(void) __asm__("cudaPeekAtLastError");
int leetk_runtime_clear(void) __asm__("cudaGetLastError");
const char* leetk_runtime_name(int code) __asm__("cudaGetErrorName");
const char* leetk_runtime_text(int code) __asm__("cudaGetErrorString");
int __real_cudaMalloc(void** pointer, leetk_size bytes);
int __real_cudaMallocManaged(void** pointer, leetk_size bytes, unsigned flags);
int __real_cudaMallocPitch(void** pointer, leetk_size* pitch, leetk_size width, leetk_size height);
int __real_cudaMallocAsync(void** pointer, leetk_size bytes, void* stream);
int __real_cudaMallocAsync_ptsz(void** pointer, leetk_size bytes, void* stream);
int __real_cudaFree(void* pointer);
int __real_cudaFreeAsync(void* pointer, void* stream);
int __real_cudaFreeAsync_ptsz(void* pointer, void* stream);

#define LEETK_EXPORT __attribute__((visibility("default")))

// --- the last error ----------------------------------------------------------------------------

static void leetk_copy(char* to, const char* from, int size) {
    int i = 0;
    for (; from && from[i] && i < size - 1; ++i) to[i] = from[i];
    if (size > 0) to[i] = '\0';
}

// The last error of this library's runtime, left as it is: its code (0: none), name and text.
LEETK_EXPORT int leetk_peek_error(char* name, int name_size, char* text, int text_size) {
    const int code = leetk_runtime_peek();
    leetk_copy(name, leetk_runtime_name(code), name_size);
    leetk_copy(text, leetk_runtime_text(code), text_size);
    return code;
}

LEETK_EXPORT void leetk_clear_error(void) { leetk_runtime_clear(); }

// --- the arguments -----------------------------------------------------------------------------

// They lie inside a larger allocation, so that freeing one fails without a trace.
static const void* const* leetk_arguments = nullptr;
static int leetk_argument_count = 0;
static int leetk_first_freed = -1;
static int leetk_resets = 0;

// From now on notice frees of these addresses and resets of the device; the array must outlive the
// calls.
LEETK_EXPORT void leetk_watch(const void* const* arguments, int count) {
    leetk_arguments = arguments;
    leetk_argument_count = count;
    leetk_first_freed = -1;
    leetk_resets = 0;
}

// The index of the first watched address that was freed, or -1.
LEETK_EXPORT int leetk_freed(void) { return leetk_first_freed; }

// How often the submission asked for a reset of the device.
LEETK_EXPORT int leetk_reset(void) { return leetk_resets; }

// The reset is noted and not done: the whole process shares the device's context, and whoever still
// holds an event or a pointer of it would crash.
int __wrap_cudaDeviceReset(void) {
    ++leetk_resets;
    return 0;
}

// --- what is allocated -------------------------------------------------------------------------

static const int LEETK_MOST = 4096;
static struct {
    const void* pointer;
    leetk_size bytes;
} leetk_blocks[LEETK_MOST];
static int leetk_block_count = 0;
static long long leetk_bytes = 0;
static bool leetk_lost_count = false;
static bool leetk_lock = false;

static void leetk_enter(void) {
    while (__atomic_test_and_set(&leetk_lock, __ATOMIC_ACQUIRE)) {
    }
}

static void leetk_leave(void) { __atomic_clear(&leetk_lock, __ATOMIC_RELEASE); }

static int leetk_took(int code, void** pointer, leetk_size bytes) {
    if (code != 0 || !pointer || !*pointer) return code;
    leetk_enter();
    if (leetk_block_count < LEETK_MOST) {
        leetk_blocks[leetk_block_count].pointer = *pointer;
        leetk_blocks[leetk_block_count++].bytes = bytes;
        leetk_bytes += static_cast<long long>(bytes);
    } else {
        leetk_lost_count = true;
    }
    leetk_leave();
    return code;
}

static void leetk_gave(const void* pointer) {
    for (int i = 0; i < leetk_argument_count; ++i) {
        if (leetk_arguments[i] == pointer && leetk_first_freed < 0) leetk_first_freed = i;
    }
    leetk_enter();
    for (int i = leetk_block_count - 1; i >= 0; --i) {
        if (leetk_blocks[i].pointer == pointer) {
            leetk_bytes -= static_cast<long long>(leetk_blocks[i].bytes);
            leetk_blocks[i] = leetk_blocks[--leetk_block_count];
            break;
        }
    }
    leetk_leave();
}

// The bytes of device memory that the submission has allocated and not freed, or -1 when there were
// too many blocks to count.
LEETK_EXPORT long long leetk_allocated(void) {
    leetk_enter();
    const long long bytes = leetk_lost_count ? -1 : leetk_bytes;
    leetk_leave();
    return bytes;
}

int __wrap_cudaMalloc(void** pointer, leetk_size bytes) {
    return leetk_took(__real_cudaMalloc(pointer, bytes), pointer, bytes);
}

int __wrap_cudaMallocManaged(void** pointer, leetk_size bytes, unsigned flags) {
    return leetk_took(__real_cudaMallocManaged(pointer, bytes, flags), pointer, bytes);
}

int __wrap_cudaMallocPitch(void** pointer, leetk_size* pitch, leetk_size width, leetk_size height) {
    const int code = __real_cudaMallocPitch(pointer, pitch, width, height);
    return leetk_took(code, pointer, code == 0 && pitch ? *pitch * height : 0);
}

int __wrap_cudaMallocAsync(void** pointer, leetk_size bytes, void* stream) {
    return leetk_took(__real_cudaMallocAsync(pointer, bytes, stream), pointer, bytes);
}

// As cudaMallocAsync and cudaFreeAsync are called in code with a default stream for each thread.
int __wrap_cudaMallocAsync_ptsz(void** pointer, leetk_size bytes, void* stream) {
    return leetk_took(__real_cudaMallocAsync_ptsz(pointer, bytes, stream), pointer, bytes);
}

// Forgotten before it is freed: another thread may be given the same address at once.
int __wrap_cudaFree(void* pointer) {
    leetk_gave(pointer);
    return __real_cudaFree(pointer);
}

int __wrap_cudaFreeAsync(void* pointer, void* stream) {
    leetk_gave(pointer);
    return __real_cudaFreeAsync(pointer, stream);
}

int __wrap_cudaFreeAsync_ptsz(void* pointer, void* stream) {
    leetk_gave(pointer);
    return __real_cudaFreeAsync_ptsz(pointer, stream);
}

}
