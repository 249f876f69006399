// The pool of stacks for threads of a block.
//
// Chunks of stacks are reserved as they are needed; the pages of one get their memory when they are
// first touched, and keep it. One chunk is enough for a block, and blocks that run at a time take
// more (residency.cpp).
//
// Below each stack lies a guard. The solution is compiled with -fstack-clash-protection, so that a
// large frame can't step over it. A guard costs the system a mapping, of which a process may have
// some 65,000; so a chunk beyond the first sixteen has a guard for all its stacks together, and they
// are smaller: that is for more than 16,000 threads that all wait.
//
// The tops are staggered ("coloured") within a page: if all stacks began at the same offset, the
// frames of a block's threads would compete for the same few sets of the L1 cache. Small stacks
// less so: most of them shall need one page only.
#include <stdlib.h>
#include <sys/mman.h>

#include "leetk/fiber.h"
#include "leetk/scheduler.h"

namespace leetk {
namespace {

constexpr int chunk_stacks = 1025;
constexpr int guarded_chunks = 16;
constexpr int most_chunks = 272;
constexpr size_t small_stack = 64 * 1024;

char* chunks[most_chunks];
int made;  // stacks so far
int* spare;
int spares, spare_room;

size_t stride_of(int chunk) {
    return chunk < guarded_chunks ? stack_guard + stack_bytes : small_stack;
}

// With the guard below the first stack.
size_t bytes_of(int chunk) {
    return stride_of(chunk) * chunk_stacks + (chunk < guarded_chunks ? 0 : stack_guard);
}

bool reserve(int chunk) {
    void* got = mmap(nullptr, bytes_of(chunk), PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED) return false;
    chunks[chunk] = static_cast<char*>(got);
    if (chunk < guarded_chunks) return true;
    return mprotect(chunks[chunk] + stack_guard, bytes_of(chunk) - stack_guard,
                    PROT_READ | PROT_WRITE) == 0;
}

char* stack_end(int stack) {
    int chunk = stack / chunk_stacks;
    char* begin = chunks[chunk] + (chunk < guarded_chunks ? 0 : stack_guard);
    return begin + stride_of(chunk) * size_t(stack % chunk_stacks + 1);
}

int make_stack() {
    int chunk = made / chunk_stacks;
    if (chunk == most_chunks || (!chunks[chunk] && !reserve(chunk))) return -1;
    if (chunk < guarded_chunks) {
        char* base = stack_end(made) - stack_bytes;
        if (mprotect(base, stack_bytes, PROT_READ | PROT_WRITE) != 0) return -1;
    }
    return made++;
}

LEETK_SCHEDULING void grow_spare() {
    bool was_busy = scheduler.busy;
    scheduler.busy = true;
    spare_room += chunk_stacks;
    spare = static_cast<int*>(realloc(spare, size_t(spare_room) * sizeof(int)));
    if (!spare) abort();
    scheduler.busy = was_busy;
}

}  // namespace

int take_stack() { return spares > 0 ? spare[--spares] : make_stack(); }

LEETK_SCHEDULING void drop_stack(int stack) {
    if (spares == spare_room) grow_spare();
    spare[spares++] = stack;
}

char* stack_top(int stack) {
    size_t colours = stack < guarded_chunks * chunk_stacks ? 64 : 16;
    size_t colour = size_t(stack) * 5 % colours * 64;
    return stack_end(stack) - colour;
}

bool in_stack_guard(const void* address) {
    const char* at = static_cast<const char*>(address);
    for (int chunk = 0; chunk < most_chunks && chunks[chunk]; ++chunk) {
        if (at < chunks[chunk] || at >= chunks[chunk] + bytes_of(chunk)) continue;
        size_t offset = size_t(at - chunks[chunk]);
        return (chunk < guarded_chunks ? offset % stride_of(chunk) : offset) < stack_guard;
    }
    return false;
}

void trim_stacks() {
    constexpr int most_kept = guarded_chunks * chunk_stacks;
    if (made <= most_kept) return;
    for (int chunk = guarded_chunks; chunk < most_chunks && chunks[chunk]; ++chunk) {
        munmap(chunks[chunk], bytes_of(chunk));
        chunks[chunk] = nullptr;
    }
    made = most_kept;
    int kept = 0;
    for (int i = 0; i < spares; ++i) {
        if (spare[i] < most_kept) spare[kept++] = spare[i];
    }
    spares = kept;
}

}  // namespace leetk
