// Which addresses belong to the solution's library (or to the program, where the runtime is linked
// into one): its variables, its code, and its thread-local segment.
#if defined(__linux__)
#include <link.h>
#else
#include <dlfcn.h>
#endif

#include "leetk/runtime.h"

namespace leetk {
namespace {

Library found;
char marker;  // an address within the library

#if defined(__linux__)
int look(struct dl_phdr_info* info, size_t, void*) {
    uintptr_t own = reinterpret_cast<uintptr_t>(&marker);
    Library seen;
    seen.base = info->dlpi_addr;
    seen.path = info->dlpi_name && *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
    bool ours = false;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& header = info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + header.p_vaddr;
        uintptr_t end = begin + header.p_memsz;
        if (header.p_type == PT_TLS) {
            seen.tls = static_cast<char*>(info->dlpi_tls_data);
            seen.tls_bytes = header.p_memsz;
            seen.tls_initialised = header.p_filesz;
        }
        if (header.p_type != PT_LOAD) continue;
        if (begin <= own && own < end) ours = true;
        if (begin < seen.begin) seen.begin = begin;
        if (end > seen.end) seen.end = end;
        if (!(header.p_flags & PF_X)) continue;
        if (begin < seen.text) seen.text = begin;
        if (end > seen.text_end) seen.text_end = end;
    }
    if (ours) found = seen;
    return ours;
}
#endif

}  // namespace

const Library& find_library() {
#if defined(__linux__)
    dl_iterate_phdr(look, nullptr);
#else
    Dl_info info;
    if (dladdr(&marker, &info)) found.base = reinterpret_cast<uintptr_t>(info.dli_fbase);
#endif
    return found;
}

const Library& library() { return found; }

bool in_code(uintptr_t pc) { return pc >= found.text && pc < found.text_end; }

bool in_library(const void* pointer) {
    uintptr_t at = reinterpret_cast<uintptr_t>(pointer);
    return at >= found.begin && at < found.end;
}

}  // namespace leetk
