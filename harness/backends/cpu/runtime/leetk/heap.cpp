// The device's heap: one mapping of device memory, from which malloc and new in kernels (api/heap.cpp)
// get their blocks, with CUDA's limit (8 MB unless cudaDeviceSetLimit says otherwise).
//
// A block is [head][data][red zone]. Data begin as poison, and are poison again once they are freed.
// Red zones are looked at when a block is freed and when the call of solve ends. A freed block is
// used again by blocks of its class of sizes alone, the one that was freed first before the others.
//
// The limit counts the data, rounded up to 16 bytes: a GPU's heap holds less, as it has heads, too
// (an H200 gives six blocks of 1 MB out of 8).
//
// While kernels are checked it is also known which block an address belongs to, and there are
// shadows (shadow.h), one for each part of the heap.
#include "leetk/heap.h"

#include <string.h>
#include <sys/mman.h>

#include "leetk/runtime.h"
#include "leetk/scheduler.h"
#include "leetk/shadow.h"
#include "leetk/watch.h"

namespace leetk {
namespace {

struct Head {
    size_t bytes;    // as asked for
    Head* next;      // of the freed ones of its class
    unsigned fill;   // the word in the red zone
    unsigned space;  // of the data and the red zone, in granules
    unsigned unused;
    unsigned state;  // right before the data
};
constexpr unsigned live = 0x4c495645, gone = 0x474f4e45;

constexpr size_t granule = 16;
constexpr size_t zone_bytes = 16;  // at least
constexpr size_t heap_guard = 64 << 20;
constexpr size_t step_bytes = 64 << 10;   // the heap's open part grows by
constexpr size_t part_bytes = 256 << 10;  // of one shadow
constexpr size_t most_cleared = 4096;     // when a block is freed
constexpr size_t default_limit = 8 << 20;
constexpr size_t most_heap = size_t(16) << 30;

// Sizes up to 1 KiB each have a class of their own, larger ones four for each doubling.
constexpr size_t fine_bytes = 1024;
constexpr int fine_classes = int(fine_bytes / granule) + 1;
constexpr int most_classes = fine_classes + 4 * 40;

struct FreeList {
    Head* first;
    Head* last;
};
FreeList free_lists[most_classes];

Mapping* heap;
char* next_fresh;  // behind the last block that was ever made
char* end_of_space;
size_t most_in_use = default_limit;
size_t in_use;
bool ran_out;

// While kernels are checked.
unsigned* owners;  // of each granule: the number of its block's first one, from 1 on
Shadow** shadows;
Mapping freed_memory;

size_t round_to(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

size_t counted(size_t bytes) { return round_to(bytes ? bytes : 1, granule); }

// The class of a size, and what blocks of that class have room for.
int class_of(size_t bytes, size_t& room) {
    room = counted(bytes);
    if (room <= fine_bytes) return int(room / granule);
    const int doublings = 63 - __builtin_clzll(room - 1);
    const size_t quarter = size_t(1) << (doublings - 2);
    const size_t quarters = (room - 1) / quarter;  // 4 to 7
    room = (quarters + 1) * quarter;
    return fine_classes + (doublings - 10) * 4 + int(quarters) - 4;
}

char* data_of(Head* head) { return reinterpret_cast<char*>(head + 1); }
Head* head_of(void* data) { return static_cast<Head*>(data) - 1; }
size_t space_of(const Head* head) { return head->space * granule; }
Head* after(Head* head) { return reinterpret_cast<Head*>(data_of(head) + space_of(head)); }

void* take_zeroed(size_t bytes) {
    void* got = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return got == MAP_FAILED ? nullptr : got;
}

// Space enough for many small blocks within the limit.
bool open_heap() {
    const size_t space = round_to(4 * most_in_use, step_bytes) + (16 << 20);
    Mapping made{};
    made.reserved_bytes = heap_guard + space + heap_guard;
    void* got = mmap(nullptr, made.reserved_bytes, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED) return false;
    made.reserved = static_cast<char*>(got);
    made.open = made.data = made.reserved + heap_guard;
    made.kind = region_device;
    made.heap = true;
    made.shared = true;  // helpers (team.cpp) leave as many blocks as they found
    made.protection = PROT_READ | PROT_WRITE;
    made.file = "";
    strcpy(made.name, "memory from malloc in a kernel");
    freed_memory = made;
    strcpy(freed_memory.name, "memory that a kernel had freed");
    next_fresh = made.data;
    end_of_space = made.data + space;
    add_mapping(made);
    heap = const_cast<Mapping*>(find_mapping(made.data));
    return true;
}

bool grow(char* to) {
    const size_t bytes = round_to(size_t(to - heap->data), step_bytes);
    if (bytes <= heap->open_bytes) return true;
    if (heap->data + bytes > end_of_space) return false;
    char* end = heap->open + heap->open_bytes;
    const size_t more = bytes - heap->open_bytes;
    if (mprotect(end, more, PROT_READ | PROT_WRITE) != 0) return false;
    heap->open_bytes = heap->bytes = bytes;
    return true;
}

Head* fresh_block(size_t room) {
    if (!heap && !open_heap()) return nullptr;
    Head* head = reinterpret_cast<Head*>(next_fresh);
    char* end = data_of(head) + room + zone_bytes;
    if (size_t(end_of_space - next_fresh) < room + zone_bytes + sizeof(Head) || !grow(end)) {
        return nullptr;
    }
    head->space = unsigned((room + zone_bytes) / granule);
    next_fresh = end;
    return head;
}

Head* take_block(size_t bytes) {
    size_t room = 0;
    FreeList& list = free_lists[class_of(bytes, room)];
    Head* head = list.first;
    if (!head) return fresh_block(room);
    list.first = head->next;
    return head;
}

size_t number_of(const void* address) {
    return size_t(static_cast<const char*>(address) - heap->data) / granule;
}

// Who owns the granules of the block; that its places have not been touched.
void note_block(Head* head) {
    const size_t space = size_t(end_of_space - heap->data);
    if (!owners) {
        owners = static_cast<unsigned*>(take_zeroed(space / granule * sizeof *owners));
        shadows = static_cast<Shadow**>(take_zeroed((space / part_bytes + 1) * sizeof *shadows));
    }
    if (!owners || !shadows) return;
    const size_t end = number_of(after(head));
    const unsigned first = unsigned(number_of(head)) + 1;
    for (size_t i = number_of(head); i != end; ++i) owners[i] = first;
    const uintptr_t begin = reinterpret_cast<uintptr_t>(heap->data);
    uintptr_t at = reinterpret_cast<uintptr_t>(data_of(head));
    const uintptr_t stop = at + space_of(head);
    while (at != stop) {
        const size_t part = (at - begin) / part_bytes;
        const uintptr_t part_end = begin + (part + 1) * part_bytes;
        const uintptr_t until = part_end < stop ? part_end : stop;
        if (shadows[part]) forget_cells(*shadows[part], at, until - at);
        at = until;
    }
}

// Whether both sides of the block's data are as they were made; else a report, which is fatal. Where
// accesses are checked each of those that did it has been found.
void check_block(Head* head, uintptr_t pc) {
    if (checking) return;
    const char* end = data_of(head) + head->bytes;
    const bool before = head->state != live;
    if (!before && is_poison(end, space_of(head) - head->bytes, head->fill)) return;
    Fault fault;
    fault.kind = "out_of_bounds_write";
    fault.fatal = true;
    fault.pc = pc;
    fault.buffer = heap->name;
    if (before) {
        fault.byte = -1;
        fail(fault, "a kernel wrote before the start of memory from malloc or new in a kernel");
    }
    fault.byte = (long long)head->bytes;
    fault.size = (long long)head->bytes;
    fail(fault, "a kernel wrote past the end of %zu bytes from malloc or new in a kernel",
         head->bytes);
}

[[noreturn]] void refuse_free(const char* why, uintptr_t pc) {
    Fault fault;
    fault.kind = "illegal_access";
    fault.fatal = true;
    fault.pc = pc;
    fail(fault, "a kernel frees %s", why);
}

// A block's head, where the pointer is one that heap_alloc gave. Its state may have been overwritten.
Head* find_block(void* pointer) {
    const char* at = static_cast<const char*>(pointer);
    if (!heap || at < heap->data + sizeof(Head) || at >= next_fresh) return nullptr;
    if (size_t(at - heap->data) % granule != 0) return nullptr;
    Head* head = head_of(pointer);
    const bool fits = head->space && space_of(head) <= size_t(next_fresh - at);
    return fits && head->bytes < space_of(head) ? head : nullptr;
}

}  // namespace

void* heap_alloc(size_t bytes) {
    Head* head = nullptr;
    if (bytes <= most_in_use && counted(bytes) <= most_in_use - in_use) head = take_block(bytes);
    if (!head) {
        ran_out = true;
        return nullptr;
    }
    head->bytes = bytes;
    head->next = nullptr;
    head->fill = heap->fill = poison_word();
    head->state = live;
    in_use += counted(bytes);
    poison(data_of(head), space_of(head));
    if (checking) note_block(head);
    return data_of(head);
}

void heap_free(void* pointer, uintptr_t pc) {
    Head* head = find_block(pointer);
    if (!head) refuse_free("a pointer that malloc or new in a kernel did not give", pc);
    if (head->state == gone) refuse_free("what was freed before", pc);
    check_block(head, pc);
    poison(data_of(head), head->bytes < most_cleared ? head->bytes : most_cleared);
    head->state = gone;
    head->next = nullptr;
    in_use -= counted(head->bytes);
    size_t room = 0;
    FreeList& list = free_lists[class_of(head->bytes, room)];
    (list.first ? list.last->next : list.first) = head;
    list.last = head;
}

bool in_heap(const void* pointer) {
    return heap && pointer >= heap->data && pointer < end_of_space;
}

int set_heap_limit(size_t bytes) {
    if (bytes > most_heap) return invalid_value;
    if (heap) return bytes <= most_in_use ? 0 : invalid_value;
    most_in_use = round_to(bytes, granule);
    return 0;
}

size_t heap_limit() { return most_in_use; }
bool heap_ran_out() { return ran_out; }
size_t heap_in_use() { return in_use; }

void begin_heap() { ran_out = false; }

void check_heap() {
    if (!heap) return;
    char* at = heap->data;
    while (at < next_fresh) {
        Head* head = reinterpret_cast<Head*>(at);
        if (head->state != gone) check_block(head, 0);
        at = reinterpret_cast<char*>(after(head));
    }
}

HeapSpot heap_spot(uintptr_t address) {
    const uintptr_t begin = reinterpret_cast<uintptr_t>(heap->data);
    const uintptr_t end = reinterpret_cast<uintptr_t>(end_of_space);
    if (!owners || !shadows || address < begin || address >= end) {
        return {begin, 0, nullptr, heap};
    }
    const size_t part = (address - begin) / part_bytes;
    const unsigned owner = owners[(address - begin) / granule];
    if (!owner) return {begin, 0, &shadows[part], heap};
    Head* head = reinterpret_cast<Head*>(heap->data + size_t(owner - 1) * granule);
    if (!shadows[part]) cells_of(shadows[part], begin + part * part_bytes, part_bytes, address, 4);
    const uintptr_t data = reinterpret_cast<uintptr_t>(data_of(head));
    if (head->state == gone) return {data, 0, &shadows[part], &freed_memory};
    return {data, head->bytes, &shadows[part], heap};
}

}  // namespace leetk
