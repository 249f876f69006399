// Records what each thread does in a library that was compiled for it (job.py, "instrumented"): its
// basic blocks, calls and accesses. The compiler calls these functions, whose names are those of
// its own race detector and coverage tool, which are not linked.
//
// A thread records freely until its block has ended; then the traces of each warp's lanes are merged
// (requests.cpp). Only memory that a GPU would have to fetch counts: global and shared.
//
// The same calls serve the checks of accesses (watch.cpp).
#include "leetk/trace.h"

#include <pthread.h>
#include <stdlib.h>

#include "leetk/runtime.h"
#include "leetk/scheduler.h"
#include "leetk/turns.h"
#include "leetk/watch.h"

namespace leetk {

bool tracing;
bool watching;

namespace {

pthread_t watched_thread;  // the one that calls solve
Trace traces[most_threads];
constexpr size_t most_events = 4 << 20;  // of a thread, 64 MiB

void add(EventKind kind, uintptr_t pc, uintptr_t address, unsigned bytes) {
    const Scheduler& s = scheduler;
    if (!s.current || s.block > most_traced) return;
    Trace& trace = traces[s.current->rank];
    if (trace.count == trace.room) {
        if (trace.count >= most_events) {
            scheduler.busy = true;
            report("limit", true, "a thread made more than %zu accesses and branches: count a smaller "
                   "size", most_events);
        }
        trace.room = trace.room ? 2 * trace.room : 256;
        trace.events = static_cast<Event*>(realloc(trace.events, trace.room * sizeof(Event)));
        if (!trace.events) abort();
    }
    trace.events[trace.count++] = {address, unsigned(pc - library().base), kind,
                                   (unsigned char)bytes};
}

// overlook(): until the next block.
struct Stretch {
    uintptr_t begin, end;
};
constexpr int most_overlooked = 64;
Stretch overlooked[most_overlooked];
int overlooked_count;

bool is_overlooked(uintptr_t address) {
    for (int i = 0; i < overlooked_count; ++i) {
        if (address >= overlooked[i].begin && address < overlooked[i].end) return true;
    }
    return false;
}

Use use_of(EventKind kind) {
    return kind == EventKind::load ? Use::load : kind == EventKind::store ? Use::store : Use::atomic;
}

// How often a thread may ask a volatile variable before others have their turn.
constexpr unsigned most_questions = 64;
struct {
    const Fiber* who;
    const void* address;
    unsigned count;
} asked;

bool asks_again(const void* address) {
    if (asked.who == scheduler.current && asked.address == address) {
        return ++asked.count % most_questions == 0;
    }
    asked = {scheduler.current, address, 1};
    return false;
}

// Before an access is looked at: from then on nobody may come in between.
void give_way(const void* address, Manner manner, bool load) {
    if (__builtin_expect(turns != Turns::none, 0)) take_turns(manner);
    const bool volatile_load = load && manner == Manner::is_volatile;
    const bool again = volatile_load && scheduler.current && asks_again(address);
    const Fiber* due = scheduler.turn_due;
    if (__builtin_expect(!again && (!due || due != scheduler.current), 1)) return;
    if (again) rearm_late_timer();
    scheduler.turn_due = nullptr;
    preempt(scheduler.slice_due, true);
}

void watched(EventKind kind, const void* address, unsigned bytes, Manner manner, void* pc) {
    if (scheduler.busy || is_overlooked(uintptr_t(address))) return;  // the runtime's own
    // Other threads of the host may run at the same time: of them nothing is known.
    if (scheduler.current ? !in_kernel() : !pthread_equal(pthread_self(), watched_thread)) return;
    give_way(address, manner, kind == EventKind::load);
    scheduler.busy = true;  // no other thread in here
    // A return address: the access itself comes right after it.
    const uintptr_t at = uintptr_t(pc) - 1;
    if (tracing) add(kind, at, uintptr_t(address), bytes);
    if (checking) check_access(uintptr_t(address), bytes, use_of(kind), manner, at);
    scheduler.busy = false;
}

inline void access(EventKind kind, const void* address, unsigned bytes, void* pc,
                   Manner manner = Manner::plain) {
    if (__builtin_expect(!watching, 1)) return;
    watched(kind, address, bytes, manner, pc);
}

}  // namespace

void trace_launch() {
    note_launch();
    for (Trace& trace : traces) trace.count = 0;
}

void overlook(const void* begin, size_t bytes) {
    const uintptr_t at = reinterpret_cast<uintptr_t>(begin);
    if (is_overlooked(at) || overlooked_count == most_overlooked) return;
    overlooked[overlooked_count++] = {at, at + bytes};
}

void forget_overlooked() { overlooked_count = 0; }

void set_watching(bool trace, bool check) {
    watched_thread = pthread_self();
    tracing = trace;
    checking = check;
    watching = trace || check;
}

void note_atomic(const void* address, unsigned bytes, Manner manner, void* return_address) {
    if (scheduler.current) access(EventKind::atomic, address, bytes, return_address, manner);
}

void note_block_scope() {
    if (checking && scheduler.current) check_block_scope();
}

void note_read_only(const void* address, unsigned bytes) {
    if (checking && scheduler.current) check_read_only(uintptr_t(address), bytes);
}

void trace_sync() { add(EventKind::sync, library().base, 0, 0); }

void trace_block() {
    const int threads = scheduler.threads;
    for (int first = 0; first < threads; first += warp_lanes) {
        const int lanes = threads - first < warp_lanes ? threads - first : warp_lanes;
        count_requests(traces + first, lanes);
    }
    for (int i = 0; i < threads; ++i) traces[i].count = 0;
}

}  // namespace leetk

#pragma GCC visibility push(hidden)
extern "C" {

void __tsan_init() {}
void __sanitizer_cov_trace_pc() {
    if (leetk::tracing) {
        leetk::add(leetk::EventKind::block, uintptr_t(__builtin_return_address(0)), 0, 0);
    }
}
void __tsan_func_entry(void*) {
    if (leetk::tracing) {
        leetk::add(leetk::EventKind::enter, uintptr_t(__builtin_return_address(0)), 0, 0);
    }
}
void __tsan_func_exit() {
    if (leetk::tracing) leetk::add(leetk::EventKind::leave, leetk::library().base, 0, 0);
}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}

#define LEETK_ACCESS(name, kind, bytes, manner)                                            \
    void __tsan_##name##bytes(const void* at) {                                            \
        leetk::access(leetk::EventKind::kind, at, bytes, __builtin_return_address(0),      \
                      leetk::Manner::manner);                                              \
    }
#define LEETK_ACCESSES(name, kind, manner)  \
    LEETK_ACCESS(name, kind, 1, manner)     \
    LEETK_ACCESS(name, kind, 2, manner)     \
    LEETK_ACCESS(name, kind, 4, manner)     \
    LEETK_ACCESS(name, kind, 8, manner)     \
    LEETK_ACCESS(name, kind, 16, manner)
LEETK_ACCESSES(read, load, plain)
LEETK_ACCESSES(write, store, plain)
LEETK_ACCESSES(unaligned_read, load, plain)
LEETK_ACCESSES(unaligned_write, store, plain)
LEETK_ACCESSES(volatile_read, load, is_volatile)
LEETK_ACCESSES(volatile_write, store, is_volatile)
LEETK_ACCESSES(unaligned_volatile_read, load, is_volatile)
LEETK_ACCESSES(unaligned_volatile_write, store, is_volatile)

// An object of any size, copied at once: 16 bytes at a time, as a device would at best.
void __tsan_read_range(const void* at, unsigned long bytes) {
    for (unsigned long i = 0; i < bytes; i += 16) {
        leetk::access(leetk::EventKind::load, static_cast<const char*>(at) + i,
                      unsigned(bytes - i < 16 ? bytes - i : 16), __builtin_return_address(0));
    }
}
void __tsan_write_range(void* at, unsigned long bytes) {
    for (unsigned long i = 0; i < bytes; i += 16) {
        leetk::access(leetk::EventKind::store, static_cast<char*>(at) + i,
                      unsigned(bytes - i < 16 ? bytes - i : 16), __builtin_return_address(0));
    }
}

// clang has these for the C functions.
void* __tsan_memcpy(void* to, const void* from, unsigned long bytes) {
    __tsan_read_range(from, bytes);
    __tsan_write_range(to, bytes);
    return __builtin_memcpy(to, from, bytes);
}
void* __tsan_memmove(void* to, const void* from, unsigned long bytes) {
    __tsan_read_range(from, bytes);
    __tsan_write_range(to, bytes);
    return __builtin_memmove(to, from, bytes);
}
void* __tsan_memset(void* to, int value, unsigned long bytes) {
    __tsan_write_range(to, bytes);
    return __builtin_memset(to, value, bytes);
}

// Atomic builtins in headers are replaced by calls, too.
#define LEETK_NOTE(at, manner)                                              \
    if (leetk::watching)                                                     \
    leetk::note_atomic((const void*)at, sizeof *at, leetk::Manner::manner,   \
                       __builtin_return_address(0))
#define LEETK_FETCH(bits, T, operation, manner)                                  \
    T __tsan_atomic##bits##_fetch_##operation(volatile T* at, T value, int) {    \
        LEETK_NOTE(at, manner);                                                  \
        return __atomic_fetch_##operation(at, value, __ATOMIC_SEQ_CST);          \
    }
#define LEETK_EXCHANGE(bits, T, strength, weak)                                                    \
    int __tsan_atomic##bits##_compare_exchange_##strength(volatile T* at, T* seen, T value, int,   \
                                                          int) {                                   \
        LEETK_NOTE(at, compare);                                                                   \
        return __atomic_compare_exchange_n(at, seen, value, weak, __ATOMIC_SEQ_CST,                \
                                           __ATOMIC_SEQ_CST);                                      \
    }
#define LEETK_ATOMIC(bits, T)                                                   \
    T __tsan_atomic##bits##_load(const volatile T* at, int) {                   \
        LEETK_NOTE(at, bound);                                                  \
        return __atomic_load_n(at, __ATOMIC_SEQ_CST);                           \
    }                                                                           \
    void __tsan_atomic##bits##_store(volatile T* at, T value, int) {            \
        LEETK_NOTE(at, exchange);                                               \
        __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                          \
    }                                                                           \
    T __tsan_atomic##bits##_exchange(volatile T* at, T value, int) {            \
        LEETK_NOTE(at, exchange);                                               \
        return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                \
    }                                                                           \
    LEETK_FETCH(bits, T, add, add)                                              \
    LEETK_FETCH(bits, T, sub, add)                                              \
    LEETK_FETCH(bits, T, and, bound)                                            \
    LEETK_FETCH(bits, T, or, bound)                                             \
    LEETK_FETCH(bits, T, xor, add)                                              \
    LEETK_EXCHANGE(bits, T, strong, false)                                      \
    LEETK_EXCHANGE(bits, T, weak, true)
LEETK_ATOMIC(8, unsigned char)
LEETK_ATOMIC(16, unsigned short)
LEETK_ATOMIC(32, unsigned)
LEETK_ATOMIC(64, unsigned long long)
void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int) {}
}
#pragma GCC visibility pop
