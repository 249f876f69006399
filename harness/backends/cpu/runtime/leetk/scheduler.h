// The scheduler's state, as the rest of the runtime sees it. See scheduler.cpp.
#ifndef LEETK_SCHEDULER_H
#define LEETK_SCHEDULER_H

#include "leetk/core.h"

#if defined(__APPLE__)
#define LEETK_LABEL(name) __asm__("_" name)
#else
#define LEETK_LABEL(name) __asm__(name)
#endif

#pragma GCC visibility push(hidden)

namespace leetk {

// `ready` also covers the thread that runs and those that haven't started. `in_warp` is kept for
// warp operations: a thread that waits for other lanes.
enum class State : unsigned char { ready, at_barrier, in_warp, exited };

// One thread of the block.
struct Fiber {
    void* context;     // where it goes on; null before its start and after its end
    const char* file;  // where it waits or waited last
    int line;
    uint3 index;
    short stack;  // the stack that it runs on
    State state;
};

// threadIdx and its kin, which are const for everyone else, under names that can be written.
struct Three {
    unsigned x, y, z;
};
extern Three thread_index LEETK_LABEL("threadIdx");
extern Three block_index LEETK_LABEL("blockIdx");
extern Three block_size LEETK_LABEL("blockDim");
extern Three grid_size LEETK_LABEL("gridDim");

enum class Order : unsigned char { forward, backward, shuffled };

constexpr int most_threads = 1024;
constexpr int queue_room = 2 * most_threads;
constexpr int fetched_ahead = 3;

struct Scheduler {
    Fiber* current;     // the running thread; null in host code
    Fiber** position;   // its place in the queue
    Fiber** queue_end;  // the queue: who may still run before the next release
    void (*body)(void*);
    void* context;
    void* host;  // the context that launched

    int threads;  // of a block
    int live;     // of this block, not ended
    int ended;    // of this block, since the last release
    bool yielded;  // some thread is in the queue more than once
    bool complete; // the queue was built with all threads of a block
    int arrived_true;  // barriers with a predicate: so far, and at the last release
    int released_true;
    int released;

    Order order;
    unsigned long long random;
    unsigned long long blocks;
    unsigned long long block;           // how many have started
    unsigned long long stride, offset;  // of the order of blocks, when it is shuffled

    const Site* site;
    bool exit_noted;  // of this launch

    Fiber fibers[most_threads];
    Fiber* queue[queue_room + fetched_ahead];  // some thread also follows the queue's end
};

extern Scheduler scheduler;

// blocks.cpp. Called with the queue used up: gives the next thread to run, of this block or of the
// next one, and null when the grid is done.
Fiber* next_segment();
Fiber* first_block();

// Starts the order of threads and blocks for a call of solve.
void begin_order(const char* order, unsigned long long seed);

// divergence.cpp. Live threads of the block wait at different barriers: doesn't return.
[[noreturn]] void report_divergence();
// Threads ended without coming to the barrier that the others wait at.
void note_ended_threads();
void forget_noted_threads();

// limits.cpp. CUDA's limits of a launch: a cudaError code, and a report with the reason.
int check_launch(const Site& site, const Config& config);

}  // namespace leetk

#pragma GCC visibility pop

#endif
