// The pool of stacks for threads of a block.
//
// One reservation holds all of them; the pages of one get their memory when they are first touched,
// and keep it. Below each lies a guard. The solution is compiled with -fstack-clash-protection, so
// that a large frame can't step over it.
//
// The tops are staggered ("coloured") within a page: if all stacks began at the same offset, the
// frames of a block's threads would compete for the same few sets of the L1 cache.
#include <sys/mman.h>

#include "leetk/fiber.h"
#include "leetk/scheduler.h"

namespace leetk {
namespace {

constexpr size_t stride = stack_guard + stack_bytes;

char* pool;
int made;
int spare[most_stacks];
int spares;
size_t opened[most_stacks];
size_t device_stack = 1024;

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
constexpr bool opens_in_steps = true;
#else
constexpr bool opens_in_steps = false;
#endif

bool open_to(int stack, size_t bytes) {
    if (bytes > stack_bytes) bytes = stack_bytes;
    char* top = pool + stride * size_t(stack + 1);
    if (mprotect(top - bytes, bytes, PROT_READ | PROT_WRITE) != 0) return false;
    opened[stack] = bytes;
    return true;
}

bool reserve() {
    void* got = mmap(nullptr, stride * most_stacks, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED) return false;
    pool = static_cast<char*>(got);
    return true;
}

}  // namespace

int take_stack() {
    if (spares > 0) return spare[--spares];
    if (made == most_stacks || (!pool && !reserve())) return -1;
    if (!open_to(made, opens_in_steps && !watching ? step_of_stack : stack_bytes)) return -1;
    return made++;
}

size_t stack_limit() { return device_stack; }
void set_stack_limit(size_t bytes) { device_stack = bytes; }

bool in_closed_stack(const void* address) {
    if (!in_stacks(address) || in_stack_guard(address)) return false;
    const size_t at = size_t(static_cast<const char*>(address) - pool);
    const size_t stack = at / stride;
    return stack < size_t(made) && stride - at % stride > opened[stack];
}

void open_stack(const void* address, bool all) {
    const size_t at = size_t(static_cast<const char*>(address) - pool);
    const size_t deep = stride - at % stride;
    open_to(int(at / stride), all ? stack_bytes : deep / step_of_stack * step_of_stack + step_of_stack);
}

LEETK_SCHEDULING void drop_stack(int stack) { spare[spares++] = stack; }

void drop_all_stacks() {
    spares = 0;
    for (int i = made - 1; i >= 0; --i) spare[spares++] = i;
}

void take_stacks(const bool* wanted) {
    int kept = 0;
    for (int i = 0; i < spares; ++i) {
        if (!wanted[spare[i]]) spare[kept++] = spare[i];
    }
    spares = kept;
}

char* stack_top(int stack) {
    size_t colour = size_t(stack) * 5 % 64 * 64;
    return pool + stride * size_t(stack + 1) - colour;
}

bool in_stacks(const void* address) {
    const char* at = static_cast<const char*>(address);
    return pool && at >= pool && at < pool + stride * most_stacks;
}

bool in_stack_guard(const void* address) {
    const char* at = static_cast<const char*>(address);
    return in_stacks(address) && size_t(at - pool) % stride < stack_guard;
}

}  // namespace leetk
