// Other orders of threads and blocks than the one in which they run here: see turns.cpp.
#ifndef LEETK_TURNS_H
#define LEETK_TURNS_H

#include "leetk/manner.h"

#pragma GCC visibility push(hidden)

namespace leetk {

// Who gives way in this call of solve, and where.
//   threads  each thread, at random, before its atomic and volatile accesses
//   blocks   each block, once a thread of it has made such an access and is about to go on
//   mixed    each block, at random, before any access
//   late     one block of each launch, for as long as the others can do without it
enum class Turns : unsigned char { none, threads, blocks, mixed, late };
extern Turns turns;

void set_turns(Turns wanted);
void begin_turns();  // of a launch
// Before an access is looked at, if `turns` is set: from then on nobody may come in between.
void take_turns(Manner manner);

}  // namespace leetk

#pragma GCC visibility pop

#endif
