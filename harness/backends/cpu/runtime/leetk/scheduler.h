// The scheduler's state, as the rest of the runtime sees it. See scheduler.cpp.
#ifndef LEETK_SCHEDULER_H
#define LEETK_SCHEDULER_H

#include <stdint.h>

#include "leetk/core.h"

#if defined(__APPLE__)
#define LEETK_LABEL(name) __asm__("_" name)
#else
#define LEETK_LABEL(name) __asm__(name)
#endif

// Marks what switches threads. A thread is never preempted in there: see preempt.cpp. Everything
// else that touches this state is called from there with `busy` set.
#if defined(__linux__)
#define LEETK_SCHEDULING __attribute__((section("leetk_scheduling")))
#else
#define LEETK_SCHEDULING
#endif

#pragma GCC visibility push(hidden)

namespace leetk {

// `ready` also covers the thread that runs and those that haven't started.
enum class State : unsigned char { ready, at_barrier, in_warp, in_tile, exited };

// One thread of a block.
struct Fiber {
    void* context;     // where it goes on; null before its start and after its end
    const char* file;  // where it waits or waited last
    int line;
    uint3 index;
    int stack;  // the stack that it runs on
    short rank;
    State state;
    unsigned char tile;  // in_tile: the size of the tile that it waits for, as an index (warp.cpp)
};

// threadIdx and its kin, which are const for everyone else, under names that can be written.
struct Three {
    unsigned x, y, z;
};
extern Three thread_index LEETK_LABEL("threadIdx");
extern Three block_index LEETK_LABEL("blockIdx");
extern Three block_size LEETK_LABEL("blockDim");
extern Three grid_size LEETK_LABEL("gridDim");
extern int block_threads LEETK_LABEL("leetk_block_threads");

enum class Order : unsigned char { forward, backward, shuffled };

constexpr int warp_lanes = 32;
constexpr int most_threads = 1024;
constexpr int most_warps = most_threads / warp_lanes;
constexpr int queue_room = 2 * most_threads;
constexpr int fetched_ahead = 6;
// Tiles of 64, 128, 256, 512 and 1024 threads: 16 + 8 + 4 + 2 + 1 in a block.
constexpr int tile_sizes = 5;
constexpr int most_tiles = 31;

struct Warp;   // warp.cpp
struct Block;  // residency.cpp

// What belongs to one block: the scheduler has that of the running one, and keeps those of the
// others while they are aside.
struct BlockState {
    Fiber* current;     // the running thread; null in host code
    Fiber** position;   // its place in the queue
    Fiber** queue_end;  // the queue: who may still run before the next release
    Fiber* fibers;
    Fiber** queue;
    Warp* warps;
    Block* storage;  // of these three

    int live;      // not ended
    int ended;     // not ended at the last release
    int waiting;   // in_warp and in_tile
    bool yielded;  // the queue is no longer what build_queue made
    bool complete; // the queue was built with all threads of a block
    int arrived_true;  // barriers with a predicate: so far, and at the last release
    int released_true;
    int released;
    int grid_arrivals;  // threads at grid.sync()
    int yields;         // in a row without any other event, while
    long yielding;      // so many threads could run
    int in_front;       // warps that went on at once, in a row
    unsigned short tiles[most_tiles];  // threads that have come to each tile's barrier
};

struct Scheduler : BlockState {
    // Shared with the signal handler that preempts.
    volatile bool busy;       // don't
    volatile bool slice_due;  // another block should have a turn
    Fiber* volatile turn_due;  // should give others a turn: it was `busy` when that was found
    void (*body)(void*);
    void* context;
    void* host;  // the context that launched

    int threads;  // of a block
    Order order;
    unsigned long long random;
    unsigned long long blocks;
    unsigned long long block;           // how many have started
    unsigned long long stride, offset;  // of the order of blocks, when it is shuffled
    unsigned long long releases;        // of barriers and warp operations, and blocks ended
    int interleavings;                  // that are left in this launch

    const Site* site;
    const Config* config;
    bool exit_noted;  // of this launch
    bool refused;     // the kernel's launch bounds are exceeded
};

extern Scheduler scheduler;

// ---- blocks.cpp ---------------------------------------------------------------------------------

// Called with the queue used up: gives the next thread to run, of this block or of another one, and
// null when the grid is done.
Fiber* next_segment();
Fiber* first_block();
// Begins the next block, in the storage of the one that ran; null when there is none.
Fiber* start_block();
// Makes the threads that wait at the barrier ready and gives the first of them.
Fiber* release_barrier();
// From now on blocks start in ascending order, as a GPU starts them.
void ascend();
bool ascending();
void set_thread_indices(Fiber* fibers);
unsigned below(unsigned limit);  // a random number

// Starts the order of threads and blocks for a call of solve.
void begin_order(const char* order, unsigned long long seed);

// ---- team.cpp -----------------------------------------------------------------------------------

void set_processes(int wanted);  // that may work on one launch
bool wants_shared_memory();
void begin_team();
// Whether there is a block to start: then `scheduler.block` is its turn.
bool take_block();
bool block_left();
bool in_team();
// Waits for the helpers. A helper ends in here.
void end_team();

// ---- residency.cpp ------------------------------------------------------------------------------

void begin_residency();
void end_residency();
bool blocks_aside();
// These give a thread to switch to, which is not one of the grid's: it puts the running block
// aside and goes on with another one.
//   The running block has ended.
Fiber* after_block();
//   All its live threads came to grid.sync(). Null: so did those of all other blocks, go on.
Fiber* wait_for_grid();
//   Another block shall have a turn, and this one then go on with its thread `resume`. Null: there
//   is no other. `sure`: the block is known to wait for another.
Fiber* change_block(Fiber* resume, bool sure);
//   The same in the middle of a block, for the sake of the disorder.
Fiber* interleave(Fiber* resume);
//   The same for a block that could go on: one after the other, or it is held back until the
//   others have polled so often (turns.cpp).
Fiber* turn_to_block(Fiber* resume, int hold);

// ---- warp.cpp -----------------------------------------------------------------------------------

Warp* new_warps(int threads);  // pages.h has them
extern Warp* const home_warps;
// Lets those groups of lanes go on that need not wait any longer, because nobody else can come.
// False if there are none.
bool settle_warps();
// What a waiting lane waits for: a name such as "__shfl_sync", and the lanes of its warp that it
// waits for in vain.
struct Wanted {
    const char* operation;
    unsigned missing;
};
Wanted wanted_by(const Fiber& fiber);

// ---- preempt.cpp --------------------------------------------------------------------------------

void arm_timer();
void rearm_late_timer();  // if its tick should have come long ago
void forget_timer();  // in a process that was forked

// ---- divergence.cpp -----------------------------------------------------------------------------

// Live threads of the block wait at different barriers: doesn't return.
[[noreturn]] void report_divergence();
// Threads of the block wait for lanes that can't come. Neither does this.
[[noreturn]] void report_deadlock();
// Two lanes of a warp wait for each other in different operations.
[[noreturn]] void report_mismatch(const Fiber& one, const char* what, const Fiber& other,
                                  const char* other_what);
// Blocks wait at grid.sync(), the others have ended.
[[noreturn]] void report_grid_deadlock(unsigned long long waiting);
// Threads ended without coming to the barrier that the others wait at.
void note_ended_threads();
// The same for lanes that a warp operation names.
void note_ended_lanes(const char* what, const Fiber& waiting, unsigned lanes);
void forget_noted_threads();

// ---- limits.cpp ---------------------------------------------------------------------------------

// CUDA's limits of a launch: a cudaError code, and a report with the reason.
int check_launch(const Site& site, const Config& config);
// How many blocks of the launch an H200 runs at a time.
unsigned long long resident_limit(const Config& config);

}  // namespace leetk

#pragma GCC visibility pop

#endif
