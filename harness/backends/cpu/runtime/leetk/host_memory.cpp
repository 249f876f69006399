// Host memory that a kernel reaches through a pointer in device memory, in a struct or in a lambda. A
// GPU can't get at it (cudaErrorIllegalAddress on an H200); here it would serve quite well.
//
// While kernels are checked, what no allocation of ours and no loaded object explains is known as
// the host's: memory from malloc, new and mmap. Stacks are left out, the launching thread's as well,
// because the kernel's arguments lie there; pointers among those are looked at in regions.cpp.
#include <pthread.h>
#include <stdio.h>

#include "leetk/fiber.h"
#include "leetk/runtime.h"
#include "leetk/watch.h"

#if defined(__linux__)
#include <link.h>
#endif

namespace leetk {

#if defined(__linux__)
namespace {

struct Stretch {
    uintptr_t begin, end;
};

bool holds(const Stretch& stretch, uintptr_t address) {
    return address >= stretch.begin && address < stretch.end;
}

// Of the thread that launches. The system's answer for a process's first thread takes long.
Stretch stack_of_host() {
    static pthread_t thread;
    static Stretch known{};
    if (known.end && pthread_equal(thread, pthread_self())) return known;
    pthread_attr_t attributes;
    void* begin = nullptr;
    size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {0, ~uintptr_t(0)};
    pthread_attr_getstack(&attributes, &begin, &bytes);
    pthread_attr_destroy(&attributes);
    thread = pthread_self();
    known = {reinterpret_cast<uintptr_t>(begin), reinterpret_cast<uintptr_t>(begin) + bytes};
    return known;
}

int look_for(dl_phdr_info* info, size_t, void* raw) {
    const uintptr_t address = *static_cast<uintptr_t*>(raw);
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& header = info->dlpi_phdr[i];
        const uintptr_t begin = info->dlpi_addr + header.p_vaddr;
        if (header.p_type == PT_LOAD && holds({begin, begin + header.p_memsz}, address)) return 1;
        const uintptr_t local = reinterpret_cast<uintptr_t>(info->dlpi_tls_data);
        if (header.p_type == PT_TLS && local && holds({local, local + header.p_memsz}, address)) {
            return 1;
        }
    }
    return 0;
}

// Each place in the program once.
bool is_new(uintptr_t pc) {
    constexpr int most = 32;
    static uintptr_t known[most];
    static int count;
    for (int i = 0; i < count; ++i) {
        if (known[i] == pc) return false;
    }
    if (count == most) return false;
    known[count++] = pc;
    return true;
}

}  // namespace

void check_host_memory(uintptr_t address, Use use, uintptr_t pc) {
    const void* at = reinterpret_cast<const void*>(address);
    if (holds(stack_of_host(), address) || in_stacks(at) || find_mapping(at)) return;
    if (was_freed(at) || table_fault(at)) return;  // it will end there
    if (in_library(at) || !is_mapped(at) || dl_iterate_phdr(look_for, &address)) return;
    if (!is_new(pc)) return;
    Fault fault;
    fault.kind = "host_memory";
    fault.pc = pc;
    char message[320];
    snprintf(message, sizeof message,
             "a kernel %s host memory, which a GPU can't get at: it followed a host pointer that lies "
             "in device memory, a struct or a lambda; copy what it points to (cudaMalloc, cudaMemcpy) "
             "and use the copy's address",
             use == Use::load ? "read" : "wrote to");
    write_report(fault, message);
}

#else

void check_host_memory(uintptr_t, Use, uintptr_t) {}

#endif

}  // namespace leetk
