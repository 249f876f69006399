// Memory of the scheduler's own that is not from malloc: what malloc holds is the solution's, and
// team.cpp looks whether a kernel changes it.
#ifndef LEETK_PAGES_H
#define LEETK_PAGES_H

#include <stddef.h>
#include <sys/mman.h>

namespace leetk {

constexpr size_t pages_head = 64;  // holds the size

// Zeroed, 64-byte aligned; null when the system has none left.
static inline void* take_pages(size_t bytes) {
    void* got = mmap(nullptr, bytes + pages_head, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (got == MAP_FAILED) return nullptr;
    *static_cast<size_t*>(got) = bytes + pages_head;
    return static_cast<char*>(got) + pages_head;
}

static inline void drop_pages(void* taken) {
    if (!taken) return;
    char* begin = static_cast<char*>(taken) - pages_head;
    munmap(begin, *reinterpret_cast<size_t*>(begin));
}

}  // namespace leetk

#endif
