// Threads and blocks take turns, as they may on a GPU, where here one block runs after the other: a
// call that was right is made again in these ways, and the judge looks at what comes of it
// (judge/consequence.py). Each is an order that CUDA allows, as long as whoever gives way goes on at
// last.
//
// What each shows:
//   threads  a check and an act on it that are two atomic operations
//   blocks   the same where it takes all blocks between the two: an atomic that says "first", "last"
//            or "there is room", and what is done about it
//   mixed    what takes some of the blocks between the two, or more than one such moment: a flag that
//            is raised before its value, a lock that lets two in
//   late     who goes on without waiting: after so many rounds, after a sleep, when all but one have
//            come
#include "leetk/turns.h"

#include "leetk/runtime.h"
#include "leetk/scheduler.h"

namespace leetk {

Turns turns;

namespace {

// Of blocks, in a call of solve and in a launch: each costs some 50 us.
constexpr unsigned most_exchanges = 400;
constexpr unsigned most_of_a_launch = 150;
unsigned exchanges;
unsigned of_this_launch;

// `blocks`: the thread that made the last atomic or volatile access, until it goes on.
const Fiber* owing;

// `mixed`: one access in so many, in this launch.
unsigned rarity;

// `late`: one of the first blocks, how many accesses it makes before it is held back, and what the
// others may poll meanwhile: mostly little, since whoever waits as it should does so for all of it.
constexpr unsigned first_blocks = 64;
constexpr unsigned most_doublings = 8;
constexpr int short_patience = 50;
constexpr int long_patience = 1000;
Three late_block;
unsigned accesses_left;
int patience;

bool may_exchange() {
    if (exchanges == most_exchanges || of_this_launch == most_of_a_launch) return false;
    ++exchanges;
    ++of_this_launch;
    return true;
}

void take_turn_of_thread() {
    if (!below(2)) return;
    const bool block = below(4) == 0 && may_exchange();
    scheduler.turn_due = nullptr;
    preempt(block, true);
}

void take_turn_of_block(Manner manner) {
    const Fiber* self = scheduler.current;
    if (owing == self && may_exchange()) pass_block(0);
    owing = manner == Manner::plain ? nullptr : self;
}

bool in_late_block() {
    return block_index.x == late_block.x && block_index.y == late_block.y &&
           block_index.z == late_block.z;
}

void hold_late_block() {
    if (!accesses_left || !in_late_block() || --accesses_left) return;
    if (may_exchange()) pass_block(patience);
}

}  // namespace

void set_turns(Turns wanted) {
    turns = wanted;
    exchanges = 0;
}

void begin_turns() {
    owing = nullptr;
    of_this_launch = 0;
    accesses_left = 0;
    rarity = 3u << 2 * below(3);
    const unsigned long long blocks = (unsigned long long)grid_size.x * grid_size.y * grid_size.z;
    if (turns != Turns::late || blocks < 2) return;
    const unsigned at = below(blocks < first_blocks ? unsigned(blocks) : first_blocks);
    const unsigned rows = at / grid_size.x;
    late_block = {at % grid_size.x, rows % grid_size.y, rows / grid_size.y};
    accesses_left = 1 + below(1u << below(most_doublings));
    patience = below(4) ? short_patience : long_patience;
}

void take_turns(Manner manner) {
    if (!scheduler.current || in_team()) return;
    if (turns == Turns::late) return hold_late_block();
    if (turns == Turns::blocks) return take_turn_of_block(manner);
    if (turns == Turns::mixed) {
        if (below(rarity) == 0 && may_exchange()) pass_block(0);
        return;
    }
    if (manner != Manner::plain) take_turn_of_thread();
}

}  // namespace leetk
