// What the running thread does to a place, and what of the place's past it is in conflict with: see
// conflict.cpp.
#ifndef LEETK_CONFLICT_H
#define LEETK_CONFLICT_H

#include <stddef.h>
#include <stdint.h>

#include "leetk/runtime.h"
#include "leetk/shadow.h"
#include "leetk/watch.h"

#pragma GCC visibility push(hidden)

namespace leetk {

// Memory that is checked.
struct Place {
    uintptr_t begin;
    size_t bytes;
    Shadow** shadow;
    const Mapping* mapping;  // of global memory, null for a variable of the program
    bool shared;

    bool is_argument() const { return mapping && mapping->argument; }
};

// What the running thread does.
struct Act {
    uintptr_t address;
    unsigned bytes;
    Use use;
    Manner manner;
    bool block_scope;
    uintptr_t pc;
    Moment now;
};

// `other_read`: the other one reads. `unfenced`: they are in order but for a fence.
struct Conflict {
    const Stamp* with;
    bool other_read;
    bool unfenced;
};

// Whether what the stamp tells happened in this launch, and to the block's memory that is there now.
inline bool is_valid(const Stamp& stamp, const Moment& now, bool shared) {
    if (stamp.when.phase != now.phase) return false;
    return !shared || stamp.when.block == now.block;
}

// The place of global memory, or of the program's variables, that an address lies in.
bool find_global(uintptr_t address, Place& place);
// A store of the host in a race, `found`, of which is told if it changes something.
void watch_host_store(const Cells& cells, const Finding& found, uintptr_t address, unsigned bytes);

// Whether the two may come in either order; then `conflict` says with what.
bool clashes(const Stamp& past, const Act& act, const Place& place, Conflict& conflict);
// What of the cell is in conflict with the access.
Conflict conflict_in(const Cell& cell, const Act& act, const Place& place);

Finding describe(const char* kind, const Place& place, const Act& act);
Scope scope_of(const Moment& one, const Moment& other);
// An access of the host or of a copy, of bytes that are written or read at `with`.
Finding foreign_race(const Place& place, uintptr_t address, uintptr_t pc, const Stamp& with);
// The race as it is told; `read`: of what the thread then overwrites, null if it has not read it.
Finding race_of(const Place& place, const Act& act, const Conflict& conflict, const Stamp* read);

}  // namespace leetk

#pragma GCC visibility pop

#endif
