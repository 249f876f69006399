// Objects with virtual functions that are built on one side and used on the other. Each side has its
// own tables of virtual functions, so that a GPU's kernel fails at the first virtual call of an
// object that was copied from the host (cudaErrorIllegalAddress on an H200). Here both sides share
// the tables.
//
// So a copy between host and device replaces each pointer to a table by the same place in a stretch
// of addresses without memory, and a copy back puts it right. A copied object may still lie there,
// and its data be read. Managed and pinned memory, which both sides use as it is, is left alone.
#include <sys/mman.h>

#include "leetk/runtime.h"

namespace leetk {
namespace {

constexpr int most_tables = 256;

// All tables together, what lies between them, and what stands for it on the other side.
struct {
    bool known;
    int count;
    Table tables[most_tables];
    uintptr_t begin;
    size_t bytes;
    uintptr_t of_host;    // in device memory: a pointer to the host's tables
    uintptr_t of_device;  // in host memory
} all;

void find_all() {
    all.known = true;
    all.count = find_tables(all.tables, most_tables);
    if (all.count == 0) return;
    uintptr_t begin = ~uintptr_t(0), end = 0;
    for (int i = 0; i < all.count; ++i) {
        const Table& table = all.tables[i];
        if (table.begin < begin) begin = table.begin;
        if (table.begin + table.bytes > end) end = table.begin + table.bytes;
    }
    void* got = mmap(nullptr, 2 * (end - begin), PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED) {
        all.count = 0;
        return;
    }
    all.begin = begin;
    all.bytes = end - begin;
    all.of_host = reinterpret_cast<uintptr_t>(got);
    all.of_device = all.of_host + all.bytes;
}

bool in_a_table(uintptr_t word) {
    for (int i = 0; i < all.count; ++i) {
        if (word - all.tables[i].begin < all.tables[i].bytes) return true;
    }
    return false;
}

}  // namespace

bool has_tables() {
    if (!all.known) find_all();
    return all.count > 0;
}

void exchange_tables(void* copied, size_t bytes, bool to_device) {
    const uintptr_t away = to_device ? all.of_host : all.of_device;
    const uintptr_t back = to_device ? all.of_device : all.of_host;
    const uintptr_t at = reinterpret_cast<uintptr_t>(copied);
    uintptr_t* word = reinterpret_cast<uintptr_t*>((at + 7) / 8 * 8);
    uintptr_t* const end = reinterpret_cast<uintptr_t*>((at + bytes) / 8 * 8);
    for (; word < end; ++word) {
        if (*word - all.begin < all.bytes && in_a_table(*word)) {
            *word = *word - all.begin + away;
        } else if (*word - back < all.bytes) {
            *word = *word - back + all.begin;
        }
    }
}

const char* table_fault(const void* address) {
    const uintptr_t at = reinterpret_cast<uintptr_t>(address);
    if (all.count == 0) return nullptr;
    if (at - all.of_host < all.bytes) {
        return "a kernel calls a virtual function of an object that was built on the host, whose "
               "functions are the host's: build it in a kernel";
    }
    if (at - all.of_device < all.bytes) {
        return "host code calls a virtual function of an object that was built in a kernel, whose "
               "functions are the device's: build it in host code";
    }
    return nullptr;
}

}  // namespace leetk
