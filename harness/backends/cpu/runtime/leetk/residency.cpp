// Several blocks at a time, for kernels whose blocks wait for each other: at grid.sync(), or in a
// loop that polls memory (a lock, a flag, a counter of arrivals).
//
// Blocks start as lazily as they can. One runs until it ends or can't go on; then it is put aside,
// with its threads' stacks and its shared memory, and the next one starts. So a kernel whose blocks
// don't wait for each other never pays for any of this, also when it is launched cooperatively.
// All blocks see shared memory at the same addresses: its contents are exchanged.
//
// No more blocks are resident than an H200 could hold (limits.cpp). A kernel that needs more hangs
// there, and here it runs into the time limit.
//
// A block that polls memory goes to the end of a line. The first in the line gets another turn when
// a block has ended since it joined, because that may be what it waits for (at the second attempt:
// when two have ended, then four ...), and when a block that had just begun had to wait, too. Else
// a new block starts, and when none can, the line takes turns.
#include <stdlib.h>

#include "leetk/fiber.h"
#include "leetk/runtime.h"
#include "leetk/scheduler.h"

namespace leetk {

// A block's place: for its threads, and for its state while it is aside.
struct Block : BlockState {
    Block* next;
    Three index;               // blockIdx
    unsigned long long retry;  // at so many events
    unsigned attempts;         // in vain, one after the other
    bool at_grid;
    char* shared;  // its shared memory
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

// Blocks that run for long without polling anything that is noticed may wait for another one or may
// just have much to do. So many of their threads are kept.
constexpr unsigned long long unsure_threads = 16384;

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
    Block* place = static_cast<Block*>(calloc(1, sizeof(Block)));
    if (!place) no_memory();
    place->fibers = static_cast<Fiber*>(calloc(threads, sizeof(Fiber)));
    place->queue = static_cast<Fiber**>(calloc(queue_room + fetched_ahead, sizeof(Fiber*)));
    place->warps = new_warps(scheduler.threads);
    if (!place->fibers || !place->queue || !place->warps) no_memory();
    set_thread_indices(place->fibers);
    place->storage = place;
    return place;
}

void drop_place(Block* place) {
    free(place->shared);
    place->shared = nullptr;
    if (place == &home) return;
    free(place->fibers);
    free(place->queue);
    free(place->warps);
    free(place);
}

// Makes the place the current one.
void enter_place(Block* place) {
    static_cast<BlockState&>(scheduler) = *place;
    scheduler.yields = 0;
    scheduler.yielding = 0;
    scheduler.slice_due = false;
}

// Keeps the running block's state in its place.
Block* put_aside(Fiber* resume) {
    Scheduler& s = scheduler;
    Block* place = s.storage;
    s.current = resume;
    *static_cast<BlockState*>(place) = s;
    place->index = block_index;
    size_t bytes = shared_bytes();
    if (bytes && !place->shared) place->shared = static_cast<char*>(malloc(bytes));
    if (bytes && !place->shared) no_memory();
    save_shared(place->shared);
    return place;
}

Fiber* take_up(Block* place) {
    enter_place(place);
    block_index = place->index;
    load_shared(place->shared);
    if (!place->at_grid) return scheduler.current;
    place->at_grid = false;
    return release_barrier();
}

bool may_start(unsigned long long most) {
    Scheduler& s = scheduler;
    if (s.block == s.blocks) return false;
    if (!limit) limit = resident_limit(*s.config);
    return resident < (most < limit ? most : limit);
}

// The next block's thread, with the running block put aside; null without one. `free_place` is one
// whose block has ended.
Fiber* next_block(Block* free_place, unsigned long long most) {
    bool fresh = may_start(most);
    Block* first = aside.first;
    if (first && (!fresh || first->retry <= events || (new_one_waits && first != aside.last))) {
        if (free_place) {
            free_place->next = places;
            places = free_place;
        }
        return take_up(aside.take());
    }
    if (!fresh) return nullptr;
    ++resident;
    enter_place(free_place ? free_place : new_place());
    scheduler.live = scheduler.ended = scheduler.waiting = scheduler.grid_arrivals = 0;
    return start_block();
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
    aside = at_grid = {nullptr, nullptr};
}

void end_residency() {
    drop_place(scheduler.storage);
    while (Block* place = places) {
        places = place->next;
        drop_place(place);
    }
    trim_stacks();
}

bool blocks_aside() { return resident > 1; }

Fiber* after_block() {
    Scheduler& s = scheduler;
    Block* place = s.storage;
    ++events;
    --resident;
    place->attempts = 0;
    new_one_waits = false;
    // The place keeps what enter_place reads.
    *static_cast<BlockState*>(place) = s;
    if (Fiber* next = next_block(place, ~0ull)) return next;
    if (at_grid.first) report_grid_deadlock(waiting_at_grid);
    return nullptr;
}

Fiber* wait_for_grid() {
    Scheduler& s = scheduler;
    if (s.fibers[0].state == State::exited) report_grid_deadlock(waiting_at_grid + 1);
    if (++waiting_at_grid == s.blocks) {
        ++events;
        waiting_at_grid = 0;
        while (Block* block = at_grid.take()) {
            block->retry = events;
            aside.append(block);
        }
        return nullptr;
    }
    Block* place = put_aside(nullptr);
    place->at_grid = true;
    at_grid.append(place);
    if (Fiber* next = next_block(nullptr, ~0ull)) return next;
    report_grid_deadlock(waiting_at_grid);
}

Fiber* change_block(Fiber* resume, bool sure) {
    Scheduler& s = scheduler;
    s.slice_due = false;
    unsigned long long most = sure ? ~0ull : unsure_threads / unsigned(s.threads);
    if (!aside.first && !may_start(most)) return nullptr;
    Block* place = put_aside(resume);
    new_one_waits = place->attempts == 0;
    place->retry = events + (1ull << (place->attempts < 20 ? place->attempts : 20));
    ++place->attempts;
    aside.append(place);
    ascend();
    return next_block(nullptr, most);
}

}  // namespace leetk
