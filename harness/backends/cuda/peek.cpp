// Linked into every library that the cuda backend builds. A submission's launch errors are kept by
// the CUDA runtime that its own library is linked with, which no other copy of the runtime in the
// process can ask; these functions ask that one. The runtime's functions are declared here rather
// than included, so that this file compiles in a blink and with any toolkit.

extern "C" {

int cudaPeekAtLastError(void);
int cudaGetLastError(void);
const char* cudaGetErrorName(int code);
const char* cudaGetErrorString(int code);
int __real_cudaFree(void* pointer);
int __real_cudaFreeAsync(void* pointer, void* stream);

#define LEETK_EXPORT __attribute__((visibility("default")))

static void leetk_copy(char* to, const char* from, int size) {
    int i = 0;
    for (; from && from[i] && i < size - 1; ++i) to[i] = from[i];
    if (size > 0) to[i] = '\0';
}

// The last error of this library's runtime, left as it is: its code (0: none), name and text.
LEETK_EXPORT int leetk_peek_error(char* name, int name_size, char* text, int text_size) {
    const int code = cudaPeekAtLastError();
    leetk_copy(name, cudaGetErrorName(code), name_size);
    leetk_copy(text, cudaGetErrorString(code), text_size);
    return code;
}

LEETK_EXPORT void leetk_clear_error(void) { cudaGetLastError(); }

// The arguments lie inside larger allocations, so that freeing one fails without a trace: the
// linker's --wrap leads the submission's calls of cudaFree here, where they are noticed.
static const void* const* leetk_arguments = nullptr;
static int leetk_argument_count = 0;
static int leetk_first_freed = -1;

static void leetk_notice(const void* pointer) {
    for (int i = 0; i < leetk_argument_count; ++i) {
        if (leetk_arguments[i] == pointer && leetk_first_freed < 0) leetk_first_freed = i;
    }
}

// From now on notice frees of these addresses; the array must outlive the calls.
LEETK_EXPORT void leetk_watch(const void* const* arguments, int count) {
    leetk_arguments = arguments;
    leetk_argument_count = count;
    leetk_first_freed = -1;
}

// The index of the first watched address that was freed, or -1.
LEETK_EXPORT int leetk_freed(void) { return leetk_first_freed; }

int __wrap_cudaFree(void* pointer) {
    leetk_notice(pointer);
    return __real_cudaFree(pointer);
}

int __wrap_cudaFreeAsync(void* pointer, void* stream) {
    leetk_notice(pointer);
    return __real_cudaFreeAsync(pointer, stream);
}

}
