// Loads that find what was there before: see stale.cpp.
#ifndef LEETK_STALE_H
#define LEETK_STALE_H

#include "leetk/conflict.h"

#pragma GCC visibility push(hidden)

namespace leetk {

// Set for a call whose races are tried the other way round: all of them, or some by chance.
enum class StaleReads : unsigned char { none, all, some };
extern StaleReads stale_reads;
void begin_stale(StaleReads which);

// The latest store, of these cells, has changed nothing: the one before is the last write again.
void undo_write(const Cells& cells, size_t number);
// Before an access to cell `number`: a load that is in a race with the last write may find what was
// there before.
void try_the_other_way(const Cells& cells, size_t number, const Place& place, const Act& act);
// The host's load at `pc`, which comes next, finds what was in cell `number` before.
void let_host_be_early(const Cells& cells, size_t number, uintptr_t pc);
// A copy is about to write cell `number`.
void keep_before_copy(const Cells& cells, size_t number);
// The launch of that phase has a lock, made of atomics that put one value in another's place.
void note_lock(unsigned phase);
// All is as it was again. Before anybody accesses anything.
void come_back();

}  // namespace leetk

#pragma GCC visibility pop

#endif
