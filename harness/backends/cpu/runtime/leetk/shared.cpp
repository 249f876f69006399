// Shared memory of the running block: poisoned when a block starts, with a red zone and a guard
// behind the static variables (see shared.h) and behind the dynamic array.
//
// The runtime has one thread-local variable, which the linker puts after the solution's (its
// objects come later on the command line). Its first part is the red zone, and the pages in it are
// the guard. What the runtime itself keeps for each host thread lies in it too, because everything
// else in the segment is taken for shared memory.
#include <initializer_list>

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "leetk/runtime.h"
#include "leetk/scheduler.h"

extern "C" {
__attribute__((visibility("hidden"))) void* leetk_dynamic_base;
}

namespace leetk {
namespace {

constexpr size_t pad_bytes = 64 * 1024;
constexpr size_t front_zone = 256;     // before the dynamic array
constexpr size_t arena_bytes = 256 * 1024;
constexpr size_t arena_guard = 1024 * 1024;

// What one host thread has: `variables` are the static shared ones, up to the pad.
struct Local {
    char pad[pad_bytes];
    int error;
    bool known;
    char* front;  // the red zone before them
    char* variables;
    size_t variable_bytes;
    char* guard;  // the pages inside the pad
    size_t guard_bytes;
};
thread_local Local local;

size_t total;       // of static shared variables
char* arena_end;    // of the dynamic array's open pages
char* base;
size_t requested;

char* reserve_arena() {
    size_t all = arena_guard + arena_bytes + arena_guard;
    void* got = mmap(nullptr, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED) return nullptr;
    char* open = static_cast<char*>(got) + arena_guard;
    if (mprotect(open, arena_bytes, PROT_READ | PROT_WRITE) != 0) return nullptr;
    return open + arena_bytes;
}

// Only the judge's thread, which never ends, gets a guard: a thread that ends gives the memory back
// to malloc.
void know_variables(bool with_guard) {
    local.known = true;  // makes the system allocate this thread's segment
    const Library& library = find_library();
    if (!library.tls) return;
    local.variables = library.tls + library.tls_initialised;
    // The zone comes first in the segment, where it was linked so (compile.py).
    size_t gap = size_t(&before_shared[0] - local.variables);
    if (gap < 64) {
        local.front = before_shared;
        local.variables = before_shared + variable_zone;
    }
    if (local.pad > local.variables) local.variable_bytes = size_t(local.pad - local.variables);
    if (!with_guard) return;
    size_t page = size_t(sysconf(_SC_PAGESIZE));
    uintptr_t begin = (reinterpret_cast<uintptr_t>(local.pad) + page - 1) / page * page;
    uintptr_t end = reinterpret_cast<uintptr_t>(local.pad + pad_bytes) / page * page;
    if (begin >= end) return;
    local.guard = reinterpret_cast<char*>(begin);
    if (mprotect(local.guard, end - begin, PROT_NONE) == 0) local.guard_bytes = end - begin;
}

// keep_with_block
struct Kept {
    char* begin;
    size_t bytes;
};
constexpr int most_kept = 16;
Kept kept[most_kept];
int kept_count;

// The pad's bytes before and after its guard, which an overrun hits first or jumps to.
struct Zone {
    char* begin;
    size_t bytes;
};
Zone red_zone(bool after) {
    char* end = local.pad + pad_bytes;
    if (!local.guard_bytes) return {after ? end : local.pad, after ? 0 : pad_bytes};
    char* guard_end = local.guard + local.guard_bytes;
    if (after) return {guard_end, size_t(end - guard_end)};
    return {local.pad, size_t(local.guard - local.pad)};
}

bool holds_poison(const char* at, size_t bytes) { return is_poison(at, bytes, poison_word()); }
bool holds_poison(Zone zone) { return holds_poison(zone.begin, zone.bytes); }

size_t rounded() { return (requested + 15) / 16 * 16; }

}  // namespace

size_t static_shared_total() { return total; }

int& last_error() { return local.error; }

void open_shared() {
    know_variables(true);
    total = local.variable_bytes;
    arena_end = reserve_arena();
    base = arena_end;
}

void prepare_shared(size_t dynamic_bytes) {
    if (!local.known) know_variables(false);
    requested = dynamic_bytes;
    base = arena_end - rounded();
    leetk_dynamic_base = base;
    if (local.variable_bytes) {
        if (local.front) poison(local.front, variable_zone);
        for (bool after : {false, true}) poison(red_zone(after).begin, red_zone(after).bytes);
    }
    poison(base - front_zone, front_zone);
}

void start_shared() {
    if (local.variable_bytes) poison(local.variables, local.variable_bytes);
    if (requested) poison(base, rounded());
}

bool keep_with_block(void* begin, size_t bytes) {
    if (kept_count == most_kept) return false;
    kept[kept_count++] = {static_cast<char*>(begin), bytes};
    return true;
}

size_t shared_bytes() {
    size_t sum = local.variable_bytes + (requested ? rounded() : 0);
    for (int i = 0; i < kept_count; ++i) sum += kept[i].bytes;
    return sum;
}

void save_shared(char* to) {
    for (int i = 0; i < kept_count; to += kept[i++].bytes) {
        memcpy(to, kept[i].begin, kept[i].bytes);
    }
    if (local.variable_bytes) memcpy(to, local.variables, local.variable_bytes);
    if (requested) memcpy(to + local.variable_bytes, base, rounded());
}

void load_shared(const char* from) {
    for (int i = 0; i < kept_count; from += kept[i++].bytes) {
        memcpy(kept[i].begin, from, kept[i].bytes);
    }
    if (local.variable_bytes) memcpy(local.variables, from, local.variable_bytes);
    if (requested) memcpy(base, from + local.variable_bytes, rounded());
}

void finish_shared(const Site& site) {
    const char* message = nullptr;
    if (local.variable_bytes && !(holds_poison(red_zone(false)) && holds_poison(red_zone(true)))) {
        message = "%s wrote past the end of its __shared__ variables";
    } else if (local.variable_bytes && local.front && !holds_poison(local.front, variable_zone)) {
        message = "%s wrote before the start of its __shared__ variables";
    } else if (!holds_poison(base - front_zone, front_zone)) {
        message = "%s wrote before the start of its dynamic shared memory";
    } else if (requested && !holds_poison(base + requested, rounded() - requested)) {
        message = "%s wrote past the end of its dynamic shared memory";
    }
    if (!message) return;
    Fault fault;
    fault.kind = "out_of_bounds_write";
    fault.fatal = true;
    fault.file = site.file;
    fault.line = site.line;
    fault.buffer = "shared memory";
    fail(fault, message, site.kernel);
}

void* dynamic_shared() { return base; }

SharedFault shared_fault(const void* address) {
    const char* at = static_cast<const char*>(address);
    if (local.guard_bytes && at >= local.guard && at < local.guard + local.guard_bytes) {
        return {"the __shared__ variables", at - local.variables, local.variable_bytes};
    }
    if (arena_end && at >= arena_end && at < arena_end + arena_guard) {
        return {"dynamic shared memory", at - base, requested};
    }
    if (arena_end && at >= arena_end - arena_bytes - arena_guard && at < base) {
        return {"dynamic shared memory", at - base, requested};
    }
    return {nullptr, 0, 0};
}

bool is_shared(const void* address) {
    const SharedPart part = shared_part(address);
    const char* at = static_cast<const char*>(address);
    return at >= part.begin && at < part.begin + part.bytes;
}

// With the zones and guards beside them.
SharedPart shared_part(const void* address) {
    const char* at = static_cast<const char*>(address);
    if (at >= base - front_zone && at < arena_end + arena_guard) return {base, requested, true};
    const char* front = local.front ? local.front : local.variables;
    if (local.variable_bytes && at >= front && at < local.pad + pad_bytes) {
        return {local.variables, local.variable_bytes, false};
    }
    return {nullptr, 0, false};
}

}  // namespace leetk
