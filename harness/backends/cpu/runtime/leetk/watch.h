// Checks of single accesses, in a library that was compiled for it (BuildOptions.traced): races,
// reads of what was never written, accesses outside their buffer. See watch.cpp.
#ifndef LEETK_WATCH_H
#define LEETK_WATCH_H

#include <stddef.h>
#include <stdint.h>

#include "leetk/manner.h"
#include "leetk/order.h"

#pragma GCC visibility push(hidden)

namespace leetk {

// Set while kernels are checked.
extern bool checking;

enum class Use : unsigned char { load, store, atomic };

// The running thread is about to access memory. `pc`: of the instruction, in this process.
void check_access(uintptr_t address, unsigned bytes, Use use, Manner manner, uintptr_t pc);
// Its next access is an atomic whose scope is the block.
void check_block_scope();

// So is what it loads of these bytes next: no thread of the kernel may write there (__ldg).
void check_read_only(uintptr_t address, unsigned bytes);

// The same where no memory that is checked lies: is it the host's? (host_memory.cpp)
void check_host_memory(uintptr_t address, Use use, uintptr_t pc);

// Host code is about to access memory: what a kernel or a copy does there may not be over.
void check_host_access(uintptr_t address, unsigned bytes, Use use, Manner manner, uintptr_t pc);
// Whether it does so as part of a stream's work (cudaLaunchHostFunc).
void set_in_stream_function(bool inside);
// A copy is about to begin in a stream, in several parts perhaps; or a memset or a free, with `from`
// null.
// `pc`: of the call.
void check_copy_begin(const void* stream);
void check_copy(void* to, const void* from, size_t bytes, uintptr_t pc);
// The runtime is about to look at memory, or to give it back.
void check_settled();

void check_launch_begin();
void check_launch_end();
void check_set_aside();  // the block's memory is about to be kept elsewhere
void check_block_begin();
// Writes what was found in this call of solve and forgets it.
void report_findings();
void forget_findings();

// ---- findings.cpp -------------------------------------------------------------------------------

// What lies at an address: `byte` counts from the start of the buffer or variable `name`.
struct Spot {
    char name[64];
    bool own;  // of no interest to the author
    long long byte;
    long long size;
};

enum class Scope : unsigned char { warp, block, grid, launch };

struct Finding {
    const char* kind;
    uintptr_t pc, other;  // relative to the library; 0: there is no other access
    const char* kernel;
    Spot spot;
    unsigned thread[3], block[3];
    unsigned other_thread[3], other_block[3];
    bool read, other_read;   // else written
    unsigned bytes;          // of the access
    Scope scope;             // that the two threads of a race have in common
    bool shared;
    bool overwritten;        // what was read had been written before, and is written again
    bool with_atomic;        // one of the two is an atomic
    bool lost_update;        // the thread has read what it then overwrites
    bool plain_update;       // by plain accesses: with old values that shows (stale.h)
    bool unfenced;           // ordered but for a fence
    bool block_scope;        // atomics of several blocks whose scope is the block
    bool by_host;            // the access; the other is a kernel's or a copy's
    bool by_copy;            // the access is a copy's
    bool argument;           // lies in an argument of solve
    uintptr_t address;       // of global memory, else 0
    bool stays;              // one of two values written is there when the memory is given back
    bool seen;               // a thread has read that value in good order
    char before[16], after[16];  // the values of two writes
    // Unwritten values alone: none of the threads that read them has stored to global memory since.
    bool idle;
    Moment when;
    unsigned readers[32];  // those of the block of `when`, a bit for each rank
};

struct Mapping;
// What lies at `address`: the allocation, if there is one, else the variable that it lies in, of
// those of shared memory or of the program; or the memory as a whole, which begins at `begin`.
Spot spot_of(const Mapping* mapping, uintptr_t address, uintptr_t begin, size_t bytes, bool shared);
// The finding of that kind at that place (and that other place), null if it is new.
Finding* known_finding(const char* kind, uintptr_t pc, uintptr_t other);
// A new one, or a better example of a known one.
void note_finding(const Finding& found);
void note_reader(Finding& known, const Moment& now);  // of what is idle
// Threads store the same value there, whichever comes first: what others read at the same time is
// their own affair.
void note_idempotent(uintptr_t pc);
// A plain read at `pc` is followed by the same thread's atomic at the same place.
void note_rechecked(uintptr_t pc);
bool still_there(const Finding& f);
// What a store at `pc` has left, in a race, is read.
void note_seen(uintptr_t pc);
// A thread has loaded what is volatile at `pc`, and then once more: it waits for a flag.
void note_polled(uintptr_t pc);
// The load at `pc` finds what was there before.
void note_stale(uintptr_t pc);
// This memory is given back.
void conclude_findings(const void* begin, size_t bytes);
// The running thread stores to global memory.
void note_global_store(const Moment& now);

}  // namespace leetk

#pragma GCC visibility pop

#endif
