// Loads that find what was there before: see stale.cpp.
#ifndef LEETK_STALE_H
#define LEETK_STALE_H

#include "leetk/shadow.h"

#pragma GCC visibility push(hidden)

namespace leetk {

// Set for a call whose races are tried the other way round: all of them, or some by chance.
enum class StaleReads : unsigned char { none, all, some };
extern StaleReads stale_reads;

// The running thread is about to write cell `number`; `owns`: it has written it before, and nobody
// can have learned of that.
void keep_before(const Cells& cells, size_t number, bool owns);
// The latest store, of these cells, has changed nothing: the one before is the last write again.
void undo_write(const Cells& cells, size_t number);
// Its load, which comes next, finds what was in cell `number` before the last write.
void go_back(const Cells& cells, size_t number);
// All is as it was again. Before anybody accesses anything.
void come_back();

}  // namespace leetk

#pragma GCC visibility pop

#endif
