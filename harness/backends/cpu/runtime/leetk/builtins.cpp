// threadIdx and its kin, which only kernels have: nvcc doesn't link host code that reads them. Here
// they lie on a page that host code can't read.
//
// In one cache line, with the largest page that a system has on either side, so that the page with
// the line has nothing else. Written in assembly because only there two variables surely lie
// side by side and cost no room in the file.
#include <sys/mman.h>
#include <unistd.h>

#include "leetk/runtime.h"
#include "leetk/scheduler.h"

// For solutions that come without a definition.
extern const int warpSize __attribute__((weak, visibility("hidden")));
const int warpSize = leetk::warp_lanes;

#if defined(__linux__)
#define LEETK_BUILTIN(name, offset, bytes)                              \
    ".globl " name "\n.hidden " name "\n.type " name ", %object\n"      \
    ".size " name ", " bytes "\n.set " name ", leetk_builtins + 65536 + " offset "\n"

__asm__(
    ".pushsection .bss\n"
    ".balign 64\n"
    "leetk_builtins:\n"
    ".skip 131136\n"
    LEETK_BUILTIN("threadIdx", "0", "12")
    LEETK_BUILTIN("blockIdx", "12", "12")
    LEETK_BUILTIN("blockDim", "24", "12")
    LEETK_BUILTIN("gridDim", "36", "12")
    LEETK_BUILTIN("leetk_block_threads", "48", "4")
    ".popsection\n");

namespace leetk {
namespace {

uintptr_t page() {
    static const uintptr_t bytes = uintptr_t(sysconf(_SC_PAGESIZE));
    return bytes;
}

uintptr_t begin() { return reinterpret_cast<uintptr_t>(&thread_index) / page() * page(); }

}  // namespace

void open_builtins(bool open) {
    int protection = open ? PROT_READ | PROT_WRITE : PROT_NONE;
    mprotect(reinterpret_cast<void*>(begin()), page(), protection);
}

const char* builtin_at(const void* address) {
    uintptr_t at = reinterpret_cast<uintptr_t>(address);
    if (at < begin() || at >= begin() + page()) return nullptr;
    static const char* const names[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    size_t which = size_t(at - reinterpret_cast<uintptr_t>(&thread_index)) / sizeof(Three);
    return which < 4 ? names[which] : "a variable of kernels";
}

}  // namespace leetk

#else

namespace leetk {

Three thread_index;
Three block_index;
Three block_size;
Three grid_size;
int block_threads;

void open_builtins(bool) {}
const char* builtin_at(const void*) { return nullptr; }

}  // namespace leetk

#endif
