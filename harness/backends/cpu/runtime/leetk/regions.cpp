// The table of device, managed and pinned memory, and who may touch it.
//
// Device memory is inaccessible while host code runs, so that host code which dereferences a device
// pointer faults, as it does with a GPU. Launches and copies open it (DeviceAccess).
//
// Opening and closing take some 0.1 us a page. A call of solve that launches so often that this
// adds up leaves device memory open between launches, once it has spent its allowance, until it
// copies or synchronises: before that, host code has no reason to look at results.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "leetk/runtime.h"
#include "leetk/shadow.h"

namespace leetk {
namespace {

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
Mapping** table;  // sorted by address
int count;
int table_room;
int openings;      // DeviceAccess objects and launches alive
bool left_open;    // since the last launch
size_t protected_bytes;  // in this call of solve
constexpr size_t allowance = size_t(8) << 30;

struct Locked {
    Locked() { pthread_mutex_lock(&lock); }
    ~Locked() { pthread_mutex_unlock(&lock); }
};

// The first entry that begins after the address.
int after(const void* address) {
    int low = 0;
    int high = count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (table[middle]->reserved > address) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

void protect(const Mapping& mapping, bool accessible) {
    if (mapping.borrowed || mapping.kind != region_device) return;
    protected_bytes += mapping.open_bytes;
    mprotect(mapping.open, mapping.open_bytes, accessible ? mapping.protection : PROT_NONE);
}

void protect_all(bool accessible) {
    if (accessible && left_open) {
        left_open = false;
        return;
    }
    left_open = false;
    open_builtins(accessible);
    for (int i = 0; i < count; ++i) protect(*table[i], accessible);
}

}  // namespace

bool is_mapped(const void* address) {
    uintptr_t page = uintptr_t(sysconf(_SC_PAGESIZE));
    void* begin = reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(address) / page * page);
#if defined(__APPLE__)
    char state;
#else
    unsigned char state;
#endif
    return mincore(begin, 1, &state) == 0;
}

const Mapping* find_mapping(const void* address) {
    int at = after(address) - 1;
    if (at < 0) return nullptr;
    const Mapping* found = table[at];
    return address < found->reserved + found->reserved_bytes ? found : nullptr;
}

Mapping* mapping_at(int index) { return index < count ? table[index] : nullptr; }

void add_mapping(const Mapping& mapping) {
    Locked hold;
    if (count == table_room) {
        table_room = table_room ? 2 * table_room : 64;
        table = static_cast<Mapping**>(realloc(table, size_t(table_room) * sizeof *table));
        if (!table) abort();
    }
    Mapping* kept = static_cast<Mapping*>(malloc(sizeof(Mapping)));
    if (!kept) abort();
    *kept = mapping;
    int at = after(mapping.reserved);
    memmove(table + at + 1, table + at, size_t(count - at) * sizeof *table);
    table[at] = kept;
    ++count;
    protect(mapping, openings > 0 || left_open);
}

void remove_mapping(const void* data) {
    Locked hold;
    int at = after(data) - 1;
    if (at < 0) return;
    drop_shadow(table[at]->shadow);
    free(table[at]);
    --count;
    memmove(table + at, table + at + 1, size_t(count - at) * sizeof *table);
}

bool device_open() { return openings > 0 || left_open; }

DeviceAccess::DeviceAccess() {
    Locked hold;
    if (openings++ == 0) protect_all(true);
}

DeviceAccess::~DeviceAccess() {
    Locked hold;
    if (--openings == 0) protect_all(false);
}

void open_for_launch() {
    Locked hold;
    if (openings++ == 0) protect_all(true);
}

void close_after_launch() {
    Locked hold;
    if (--openings > 0) return;
    if (protected_bytes > allowance) {
        left_open = true;
    } else {
        protect_all(false);
    }
}

void begin_access() { protected_bytes = 0; }

void synchronize() {
    Locked hold;
    if (left_open && openings == 0) protect_all(false);
}

bool find_region(const void* pointer, Region* region) {
    Locked hold;
    const Mapping* found = find_mapping(pointer);
    if (!found || found->heap) return false;
    const char* at = static_cast<const char*>(pointer);
    if (at < found->data || at >= found->data + found->bytes) return false;
    *region = {found->data, found->bytes, found->kind, found->name};
    return true;
}

bool in_one_region(const void* pointer, size_t bytes, Region* region) {
    Locked hold;
    const Mapping* found = find_mapping(pointer);
    if (!found) return true;
    *region = {found->data, found->bytes, found->kind, found->name};
    const char* at = static_cast<const char*>(pointer);
    return !found->heap && at >= found->data && at <= found->data + found->bytes &&
           bytes <= size_t(found->data + found->bytes - at);
}

// Fatal, although a kernel might leave the argument alone: with a GPU the first access ends the
// context with cudaErrorIllegalAddress, while here host memory would serve quite well and a wrong
// program would be accepted. Of the program itself a kernel may be given functions, and variables
// whose address on the device the host has asked for.
void check_pointers(const Site& site, const Config& config) {
    for (int i = 0; i < config.pointer_count; ++i) {
        const PointerArgument& argument = config.pointers[i];
        const void* pointer = argument.pointer;
        if (!pointer || find_mapping(pointer) || is_symbol(pointer)) continue;
        if (in_code(reinterpret_cast<uintptr_t>(pointer))) continue;
        if (was_freed(pointer) || !is_mapped(pointer)) continue;
        Fault fault;
        fault.kind = "illegal_access";
        fault.fatal = true;
        fault.file = site.file;
        fault.line = site.line;
        fail(fault,
             "argument %d of kernel %s points or refers to host memory%s, which a kernel can't "
             "read; %s",
             argument.position, site.kernel,
             in_library(pointer) ? " (a variable or literal of the program)" : "",
             in_library(pointer)
                 ? "copy the data to the device (cudaMalloc, cudaMemcpy), or use a __device__ "
                   "variable by its name in the kernel"
                 : "pass it by value, or copy the data to the device first (cudaMalloc, "
                   "cudaMemcpy)");
    }
}

}  // namespace leetk
