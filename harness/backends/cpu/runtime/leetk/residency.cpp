// Several blocks at a time, for kernels whose blocks wait for each other: at grid.sync(), or in a
// loop that polls memory (a lock, a flag, a counter of arrivals).
//
// Blocks start as lazily as they can. One runs until it ends or can't go on; then it is put aside,
// with what its threads have on their stacks and with its shared memory, and the next one starts.
// So a kernel whose blocks don't wait for each other never pays for any of this, also when it is
// launched cooperatively. All blocks use the same stacks and see shared memory at the same
// addresses: the contents are exchanged. A thread can't do that from its own stack, so it is the
// work of another context, the *exchange*.
//
// No more blocks are resident than an H200 could hold (limits.cpp). A kernel that needs more hangs
// there, and here it runs into the time limit.
//
// A block that polls memory goes to the end of a line. The first in the line gets another turn when
// a block has ended since it joined, because that may be what it waits for (at the second attempt:
// when two have ended, then four ...), and when a block that had just begun had to wait, too. Else
// a new block starts, and when none can, the line takes turns.
//
// A block may also be held back (turns.cpp): until nobody else can run, or the others have polled for
// long.
#include <string.h>

#include "leetk/fiber.h"
#include "leetk/pages.h"
#include "leetk/runtime.h"
#include "leetk/switching.h"
#include "leetk/trace.h"
#include "leetk/watch.h"

namespace leetk {

// A block's place: for its threads, and for its state while it is aside.
struct Block : BlockState {
    Block* next;
    Three index;               // blockIdx
    unsigned long long retry;  // at so many events
    unsigned attempts;         // in vain, one after the other
    bool at_grid;
    char* shared;  // its shared memory
    char* stacks;  // its threads' stacks, those in use one after the other
    size_t stacks_room;
};

namespace {

struct List {
    Block* first;
    Block* last;
    void append(Block* block) {
        block->next = nullptr;
        (first ? last->next : first) = block;
        last = block;
    }
    Block* take() {
        Block* taken = first;
        if (taken) first = taken->next;
        return taken;
    }
};

Block home;
List aside;    // blocks that poll
List at_grid;  // blocks that wait for the grid
Block* places;  // without a block
unsigned long long waiting_at_grid;
unsigned long long resident;
unsigned long long limit;
unsigned long long events;  // blocks ended, grid barriers passed
bool new_one_waits;  // the block that was last put aside had not been so before
Block* held;         // back, from the line
int polls_left;      // how often the others may poll meanwhile

// Blocks that run for long without polling anything that is noticed may wait for another one or may
// just have much to do. So many of their threads are kept.
constexpr unsigned long long unsure_threads = 65536;

// A block that lets others run waits for some of them to end, 1 to 128.
constexpr unsigned most_doublings = 8;

// What a tick of the clock in a thread that polls counts for.
constexpr int polls_a_tick = 25;

// Blocks in the middle of which others run.
constexpr unsigned long long most_interleaved = 3;

// Why the running block gives way, for the exchange.
enum class Reason { polls, polls_perhaps, at_grid, ended, interleaved, turn, held };
struct {
    Fiber fiber;  // its context, null before it is needed
    Reason reason;
    Fiber* resume;
} exchange;

[[noreturn]] void no_memory() {
    report("limit", true, "no memory for so many blocks that wait for each other");
    __builtin_trap();
}

Block* new_place() {
    const size_t threads = size_t(scheduler.threads);
    if (Block* place = places) {
        places = place->next;
        return place;
    }
    Block* place = static_cast<Block*>(take_pages(sizeof(Block)));
    if (!place) no_memory();
    place->fibers = static_cast<Fiber*>(take_pages(threads * sizeof(Fiber)));
    place->queue = static_cast<Fiber**>(take_pages((queue_room + fetched_ahead) * sizeof(Fiber*)));
    place->warps = new_warps(scheduler.threads);
    if (!place->fibers || !place->queue || !place->warps) no_memory();
    set_thread_indices(place->fibers);
    place->storage = place;
    return place;
}

void drop_place(Block* place) {
    drop_pages(place->shared);
    drop_pages(place->stacks);
    place->shared = place->stacks = nullptr;
    place->stacks_room = 0;
    if (place == &home) return;
    drop_pages(place->fibers);
    drop_pages(place->queue);
    drop_pages(place->warps);
    drop_pages(place);
}

// Makes the place the current one.
void enter_place(Block* place) {
    static_cast<BlockState&>(scheduler) = *place;
    scheduler.yields = 0;
    scheduler.yielding = 0;
    scheduler.slice_due = false;
}

// Where the used part of a thread's stack begins.
char* used_from(const Fiber& fiber) {
    return static_cast<char*>(fiber.context) - below_context;
}

size_t used_bytes_of(const Fiber& fiber) {
    return fiber.context ? size_t(stack_top(fiber.stack) - used_from(fiber)) : 0;
}

void save_stacks(Block* place) {
    const Fiber* const end = place->fibers + scheduler.threads;
    size_t bytes = 0;
    for (const Fiber* fiber = place->fibers; fiber != end; ++fiber) bytes += used_bytes_of(*fiber);
    if (bytes > place->stacks_room) {
        drop_pages(place->stacks);
        place->stacks = static_cast<char*>(take_pages(bytes));
        if (!place->stacks) no_memory();
        place->stacks_room = bytes;
    }
    char* to = place->stacks;
    for (const Fiber* fiber = place->fibers; fiber != end; ++fiber) {
        size_t used = used_bytes_of(*fiber);
        if (used) memcpy(to, used_from(*fiber), used);
        to += used;
    }
    drop_all_stacks();
}

void load_stacks(const Block* place) {
    bool wanted[most_stacks] = {};
    const Fiber* const end = place->fibers + scheduler.threads;
    const char* from = place->stacks;
    for (const Fiber* fiber = place->fibers; fiber != end; ++fiber) {
        size_t used = used_bytes_of(*fiber);
        if (!used) continue;
        memcpy(used_from(*fiber), from, used);
        from += used;
        wanted[fiber->stack] = true;
    }
    take_stacks(wanted);
}

// The exchange's own stack is never free.
void keep_own_stack() {
    bool wanted[most_stacks] = {};
    wanted[exchange.fiber.stack] = true;
    take_stacks(wanted);
}

// Keeps the running block's state in its place.
Block* put_aside(Fiber* resume) {
    Scheduler& s = scheduler;
    Block* place = s.storage;
    s.current = resume;
    *static_cast<BlockState*>(place) = s;
    place->index = block_index;
    size_t bytes = shared_bytes();
    if (bytes && !place->shared) place->shared = static_cast<char*>(take_pages(bytes));
    if (bytes && !place->shared) no_memory();
    finish_copies();
    if (checking) check_set_aside();
    save_shared(place->shared);
    save_stacks(place);
    keep_own_stack();
    return place;
}

Fiber* take_up(Block* place) {
    enter_place(place);
    block_index = place->index;
    load_shared(place->shared);
    load_stacks(place);
    if (!place->at_grid) return scheduler.current;
    place->at_grid = false;
    return release_barrier();
}

bool may_start(unsigned long long most) {
    Scheduler& s = scheduler;
    if (!block_left()) return false;
    if (!limit) limit = resident_limit(*s.config);
    return resident < (most < limit ? most : limit);
}

void stop_holding() {
    if (!held) return;
    held->retry = events;
    aside.append(held);
    held = nullptr;
}

void give_back(Block* place) {
    if (!place) return;
    place->next = places;
    places = place;
}

// The first thread of a block that has not started; null when another process of the team took the
// last one after this one had looked.
Fiber* start_in(Block* place) {
    ++resident;
    enter_place(place);
    scheduler.live = scheduler.ended = scheduler.waiting = scheduler.grid_arrivals = 0;
    Fiber* started = start_block();
    if (!started) --resident;
    return started;
}

// The next block's thread, with the running block put aside; null without one. `free_place` is one
// whose block has ended.
Fiber* next_block(Block* free_place, unsigned long long most) {
    Block* first = aside.first;
    const bool prefers_first =
        first && (first->retry <= events || (new_one_waits && first != aside.last));
    if (!prefers_first && may_start(most)) {
        Block* place = free_place ? free_place : new_place();
        if (Fiber* started = start_in(place)) return started;
        free_place = place;
    }
    if (!aside.first) stop_holding();
    if (!aside.first) return nullptr;
    give_back(free_place);
    return take_up(aside.take());
}

unsigned long long most_blocks_for(Reason reason) {
    if (reason != Reason::polls_perhaps) return ~0ull;
    return unsure_threads / unsigned(scheduler.threads);
}

// What runs after the block that gave way; null when the grid is done.
Fiber* next_in_turn() {
    if (exchange.reason == Reason::ended) {
        Block* place = scheduler.storage;
        ++events;
        --resident;
        place->attempts = 0;
        new_one_waits = false;
        // The place keeps what enter_place reads.
        *static_cast<BlockState*>(place) = scheduler;
        Fiber* next = next_block(place, ~0ull);
        if (!next && at_grid.first) report_grid_deadlock(waiting_at_grid);
        return next;
    }
    Block* place = put_aside(exchange.resume);
    if (exchange.reason == Reason::at_grid) {
        place->at_grid = true;
        at_grid.append(place);
        if (Fiber* next = next_block(nullptr, ~0ull)) return next;
        report_grid_deadlock(waiting_at_grid);
    }
    if (exchange.reason == Reason::interleaved) {
        place->retry = events + 1;
        aside.append(place);
        return next_block(nullptr, most_interleaved);
    }
    if (exchange.reason == Reason::turn) {
        new_one_waits = false;
        place->retry = events + (1ull << below(most_doublings));  // sooner or later
        aside.append(place);
        return next_block(nullptr, ~0ull);
    }
    if (exchange.reason == Reason::held) {
        held = place;
        return next_block(nullptr, ~0ull);
    }
    new_one_waits = place->attempts == 0;
    place->retry = events + (1ull << (place->attempts < 20 ? place->attempts : 20));
    ++place->attempts;
    aside.append(place);
    ascend();
    return next_block(nullptr, most_blocks_for(exchange.reason));
}

LEETK_SCHEDULING void exchange_blocks() {
    Scheduler& s = scheduler;
    for (;;) {
        s.busy = true;
        Fiber* next = next_in_turn();
        void* to = s.host;
        if (next) {
            enter(next);
            to = next->context ? next->context : fresh_context(next);
        }
        s.busy = false;
        leetk_switch(&exchange.fiber.context, to);
    }
}

// The exchange, as the thread to run next.
Fiber* hand_over(Reason reason, Fiber* resume) {
    exchange.reason = reason;
    exchange.resume = resume;
    if (!exchange.fiber.context) {
        exchange.fiber.stack = take_stack();
        if (exchange.fiber.stack < 0) no_memory();
        exchange.fiber.context = make_context(stack_top(exchange.fiber.stack), exchange_blocks);
    }
    return &exchange.fiber;
}

}  // namespace

void begin_residency() {
    Scheduler& s = scheduler;
    home.fibers = s.fibers;
    home.queue = s.queue;
    home.warps = s.warps;
    s.storage = home.storage = &home;
    s.slice_due = false;
    s.yields = 0;
    s.yielding = 0;
    resident = 1;
    limit = 0;
    events = 0;
    waiting_at_grid = 0;
    new_one_waits = false;
    home.attempts = 0;
    held = nullptr;
    aside = at_grid = {nullptr, nullptr};
}

void end_residency() {
    drop_place(scheduler.storage);
    while (Block* place = places) {
        places = place->next;
        drop_place(place);
    }
    if (!exchange.fiber.context) return;
    exchange.fiber.context = nullptr;
    drop_all_stacks();
}

bool blocks_aside() { return resident > 1; }

Fiber* after_block() { return hand_over(Reason::ended, nullptr); }

Fiber* wait_for_grid() {
    Scheduler& s = scheduler;
    if (s.fibers[0].state == State::exited) report_grid_deadlock(waiting_at_grid + 1);
    if (++waiting_at_grid < s.blocks) return hand_over(Reason::at_grid, nullptr);
    ++events;
    waiting_at_grid = 0;
    if (checking) order_grid();
    while (Block* block = at_grid.take()) {
        block->retry = events;
        aside.append(block);
    }
    return nullptr;
}

Fiber* change_block(Fiber* resume, bool sure) {
    scheduler.slice_due = false;
    if (resume == &exchange.fiber) return nullptr;
    if (tracing && !sure) return nullptr;  // the traces are of one block
    const Reason reason = sure ? Reason::polls : Reason::polls_perhaps;
    if (held && (polls_left -= sure ? 1 : polls_a_tick) <= 0) stop_holding();
    if (!aside.first && !may_start(most_blocks_for(reason))) return nullptr;
    return hand_over(reason, resume);
}

Fiber* interleave(Fiber* resume) {
    if (resume == &exchange.fiber || !may_start(most_interleaved)) return nullptr;
    return hand_over(Reason::interleaved, resume);
}

Fiber* turn_to_block(Fiber* resume, int hold) {
    if (resume == &exchange.fiber || (hold && held)) return nullptr;
    if (!aside.first && !may_start(~0ull)) return nullptr;
    if (hold) polls_left = hold;
    return hand_over(hold ? Reason::held : Reason::turn, resume);
}

}  // namespace leetk
