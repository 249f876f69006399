// What the threads of a block did, for the counters: see trace.cpp and requests.cpp.
#ifndef LEETK_TRACE_H
#define LEETK_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "leetk/core.h"
#include "leetk/manner.h"

#pragma GCC visibility push(hidden)

namespace leetk {

enum class EventKind : unsigned char { block, enter, leave, load, store, atomic, sync };

// One step of a thread. `pc` is an address in the library, relative to its base.
struct Event {
    uintptr_t address;  // load, store, atomic
    unsigned pc;
    EventKind kind;
    unsigned char bytes;
};

struct Trace {
    Event* events;
    size_t count;
    size_t room;
};

// Set while kernels are traced.
extern bool tracing;
void set_watching(bool trace, bool check);
void forget_overlooked();

// An atomic function is about to change what lies at `address`.
void note_atomic(const void* address, unsigned bytes, Manner manner, void* return_address);
// The next one's scope is the block.
void note_block_scope();
// __ldg is about to read.
void note_read_only(const void* address, unsigned bytes);
// Of each launch so many blocks are.
constexpr unsigned long long most_traced = 4096;

void trace_launch();

// The thread waits at a barrier, or for lanes of its warp.
void trace_sync();
// All threads of the running block have ended.
void trace_block();

// ---- requests.cpp -------------------------------------------------------------------------------

// Merges the traces of a warp's lanes into requests and counts them, for the running kernel.
void count_requests(const Trace* lanes, int count);
void note_launch();
void forget_requests();

}  // namespace leetk

#pragma GCC visibility pop

#endif
