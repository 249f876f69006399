// Device, managed and pinned memory.
//
// Each allocation is a mapping of its own, [guard][red zone][data][red zone][guard]. The data end
// as close to the guard as their 256-byte alignment lets them, and the slack is a red zone filled
// with the poison pattern. An access in a guard faults (signals.cpp); a write in a red zone is
// found when the memory is freed and when the call ends.
//
// Allocations that `solve` leaves behind are kept, as on a GPU: a solution may cache a buffer in a
// static variable between calls.
//
// An argument of `solve` is mapped from the judge's arena. The judge looks at the red zones beside
// the data; of those only what shares a page with the data is accessible here, the rest is guard,
// so that most accesses out of bounds are reported with their line.
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "leetk/heap.h"
#include "leetk/runtime.h"
#include "leetk/scheduler.h"
#include "leetk/watch.h"

namespace leetk {
namespace {

constexpr int already_registered = 712;
constexpr int not_registered = 713;

// Address space costs nothing, and a wrong index seldom misses by more.
constexpr size_t argument_guard = size_t(1) << 30;
constexpr size_t allocation_guard = 64 << 20;
constexpr size_t alignment = 256;
constexpr size_t total_memory = size_t(80) << 30;  // an H100's

// More is left untouched until it is used, which shared memory can't be.
constexpr size_t most_shared = 256 << 20;

size_t used_bytes;

// The last freed allocations: their addresses stay out of use, so that a use after free faults.
struct Freed {
    char* begin;
    size_t bytes;
};
constexpr int most_freed = 64;
Freed freed[most_freed];
int freed_next;

void retire(char* begin, size_t bytes) {
    Freed& slot = freed[freed_next];
    freed_next = (freed_next + 1) % most_freed;
    if (slot.begin) munmap(slot.begin, slot.bytes);
    slot = {nullptr, 0};
    void* got = mmap(begin, bytes, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (got != MAP_FAILED) slot = {begin, bytes};
}

size_t page_bytes() {
    static const size_t page = size_t(sysconf(_SC_PAGESIZE));
    return page;
}

size_t round_up(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

char* reserve_space(size_t bytes) {
    void* got = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return got == MAP_FAILED ? nullptr : static_cast<char*>(got);
}

// Has forked processes see the same memory (team.cpp).
bool share(char* begin, size_t bytes) {
    return mmap(begin, bytes, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) !=
           MAP_FAILED;
}

void set_name(Mapping& mapping, const char* name) {
    snprintf(mapping.name, sizeof mapping.name, "%s", name);
}

// Both zones of one allocation; device memory has to be open.
void check_zones(const Mapping& mapping) {
    size_t front = size_t(mapping.data - mapping.open);
    const char* end = mapping.data + mapping.bytes;
    size_t back = mapping.open_bytes - front - mapping.bytes;
    bool before = !is_poison(mapping.open, front, mapping.fill);
    if (!before && is_poison(end, back, mapping.fill)) return;
    Fault fault;
    fault.kind = "out_of_bounds_write";
    fault.fatal = true;
    fault.buffer = mapping.name;
    fault.byte = before ? -1 : (long long)mapping.bytes;
    fault.size = (long long)mapping.bytes;
    const char* where = before ? "before the start of" : "past the end of";
    if (mapping.line > 0) {
        fail(fault, "a kernel or a copy wrote %s the %zu-byte allocation made at %s:%d", where,
             mapping.bytes, base_name(mapping.file), mapping.line);
    }
    fail(fault, "a kernel or a copy wrote %s a %zu-byte allocation (%s)", where, mapping.bytes,
         mapping.name);
}

}  // namespace

void* memory_alloc(size_t bytes, RegionKind kind, const char* what, const char* file, int line) {
    ensure_open();
    if (bytes == 0) bytes = 1;
    if (bytes > total_memory - used_bytes) return nullptr;
    size_t open_bytes = round_up(bytes, page_bytes());
    Mapping made{};
    made.reserved_bytes = allocation_guard + open_bytes + allocation_guard;
    made.reserved = reserve_space(made.reserved_bytes);
    if (!made.reserved) return nullptr;
    made.open = made.reserved + allocation_guard;
    made.open_bytes = open_bytes;
    made.data = made.open + open_bytes - round_up(bytes, alignment);
    made.bytes = bytes;
    made.kind = kind;
    made.protection = PROT_READ | PROT_WRITE;
    made.file = file;
    made.line = line;
    made.fill = poison_word();
    set_name(made, what);
    made.shared = wants_shared_memory() && open_bytes <= most_shared && share(made.open, open_bytes);
    poison_fresh(made.open, open_bytes, made.protection, made.shared);
    add_mapping(made);
    used_bytes += bytes;
    return made.data;
}

int memory_free(void* pointer, RegionKind kind) {
    if (!pointer) return 0;
    check_settled();
    const Mapping* found = find_mapping(pointer);
    if (!found || found->data != pointer || found->borrowed) return invalid_value;
    if (found->argument) {
        Fault fault;
        fault.kind = "api";
        fault.fatal = true;
        fault.buffer = found->name;
        fail(fault, "%s was freed, which belongs to the caller of solve", found->name);
    }
    // cudaFree takes managed memory, too; cudaFreeHost takes pinned memory alone.
    if ((found->kind == region_pinned) != (kind == region_pinned)) return invalid_value;
    {
        DeviceAccess access;
        check_zones(*found);
    }
    if (checking) conclude_findings(found->data, found->bytes);
    char* reserved = found->reserved;
    size_t reserved_bytes = found->reserved_bytes;
    used_bytes -= found->bytes;
    remove_mapping(pointer);
    retire(reserved, reserved_bytes);
    return 0;
}

int memory_register(void* host, size_t bytes) {
    ensure_open();
    if (!host || bytes == 0) return invalid_value;
    if (find_mapping(host)) return already_registered;
    Mapping made{};
    made.reserved = made.open = made.data = static_cast<char*>(host);
    made.reserved_bytes = made.open_bytes = made.bytes = bytes;
    made.kind = region_pinned;
    made.borrowed = true;
    set_name(made, "registered memory");
    add_mapping(made);
    return 0;
}

int memory_unregister(void* host) {
    const Mapping* found = find_mapping(host);
    if (!found || !found->borrowed || found->data != host) return not_registered;
    remove_mapping(host);
    return 0;
}

bool was_freed(const void* address) {
    for (const Freed& slot : freed) {
        if (slot.begin && address >= slot.begin && address < slot.begin + slot.bytes) return true;
    }
    return false;
}

void memory_info(size_t* free, size_t* total) {
    *free = total_memory - used_bytes;
    *total = total_memory;
}

void check_red_zones() {
    DeviceAccess access;
    for (int i = 0; const Mapping* mapping = mapping_at(i); ++i) {
        if (!mapping->argument && !mapping->borrowed) check_zones(*mapping);
    }
    check_heap();
}

void* map_argument(int fd, long long offset, size_t bytes, const char* name, bool input) {
    size_t in_page = size_t(offset) % page_bytes();
    size_t open_bytes = round_up(in_page + (bytes ? bytes : 1), page_bytes());
    Mapping made{};
    made.reserved_bytes = argument_guard + open_bytes + argument_guard;
    made.reserved = reserve_space(made.reserved_bytes);
    if (!made.reserved) return nullptr;
    made.open = made.reserved + argument_guard;
    made.open_bytes = open_bytes;
    made.data = made.open + in_page;
    made.bytes = bytes;
    made.kind = region_device;
    made.argument = true;
    made.input = input;
    made.shared = true;
    made.protection = PROT_READ | PROT_WRITE;
    made.file = "";
    set_name(made, name);
    void* got = mmap(made.open, open_bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, fd,
                     off_t(size_t(offset) - in_page));
    if (got == MAP_FAILED) {
        munmap(made.reserved, made.reserved_bytes);
        return nullptr;
    }
    add_mapping(made);
    return made.data;
}

void unmap_arguments() {
    for (int i = 0; const Mapping* mapping = mapping_at(i);) {
        if (!mapping->argument) {
            ++i;
            continue;
        }
        char* reserved = mapping->reserved;
        size_t reserved_bytes = mapping->reserved_bytes;
        remove_mapping(mapping->data);
        munmap(reserved, reserved_bytes);
    }
}

}  // namespace leetk
