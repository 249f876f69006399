// Runs the threads of a grid as cooperative threads of one host thread, block after block.
//
// A thread runs until it has to wait (at a barrier, for lanes of its warp) or ends. The threads of
// a block are run one after another on the same stack. When one has to wait, that stack stays with
// it, and the loop goes on on a fresh one; so a kernel without barriers is a plain loop of calls,
// and a stack is taken only by a thread that waits. `queue` lists the threads that may run before
// the next *release*; when it is used up, all live threads wait, and next_segment (blocks.cpp)
// releases them, or begins the next block, or finds out why it can't.
//
// A thread that waits for lanes (warp.cpp) is State::in_warp; the last lane to come puts the others
// back at the queue's end, as yield() does for the thread itself. A queue that ends with threads in
// State::in_warp is a deadlock, if they don't wait for threads that have ended.
//
// A block that waits for other blocks, at grid.sync() or in a loop that polls memory, is put aside
// and another one runs (residency.cpp). Such loops are noticed by their atomic operations, fences
// and sleeps, which yield; and by the clock if they have none (preempt.cpp).
#include "leetk/scheduler.h"

#include <pthread.h>

#include "leetk/fiber.h"
#include "leetk/runtime.h"
#include "leetk/switching.h"
#include "leetk/trace.h"
#include "leetk/turns.h"
#include "leetk/watch.h"

namespace leetk {

namespace {

Fiber home_fibers[most_threads];
Fiber* home_queue[queue_room + fetched_ahead];

pthread_mutex_t launching = PTHREAD_MUTEX_INITIALIZER;
pthread_t launcher_thread;

// How often each runnable thread has to yield, with nothing else happening, before the block counts
// as waiting for another one.
constexpr int patience = 8;
constexpr unsigned spins_between_yields = 64;

// What every stack runs: threads that haven't started yet, until there are none.
LEETK_SCHEDULING void run_threads() {
    Scheduler& s = scheduler;
    for (;;) {
        s.body(s.context);
        Fiber* self = s.current;
        self->state = State::exited;
        self->context = nullptr;
        --s.live;
        ++s.ended;
        int stack = self->stack;
        Fiber* next = next_thread();
        if (next && !next->context) {
            next->stack = stack;
            enter(next);
            continue;
        }
        drop_stack(stack);
        void* unused;
        if (next) enter(next);
        leetk_switch(&unused, next ? next->context : s.host);
    }
}

[[noreturn]] void no_stack() {
    report("limit", true, "no memory for the stacks of a block's threads");
    __builtin_trap();
}

// The running thread goes to the queue's end.
LEETK_SCHEDULING void go_last(Fiber* self) {
    make_room();
    *scheduler.queue_end++ = self;
    close_queue(self);
    pass_turn(self, next_thread());
}

// Lanes that wait for nothing else, then other blocks, then `threads`, the block's others, have a
// turn. `sure`: all runnable threads of the block do nothing but yield.
LEETK_SCHEDULING void let_others_run(Fiber* self, bool sure, bool threads) {
    Scheduler& s = scheduler;
    s.busy = true;
    Fiber* other = nullptr;
    if (!(s.waiting && settle_warps())) other = change_block(self, sure);
    s.busy = false;
    if (other) {
        pass_turn(self, other);
    } else if (threads && s.position + 1 != s.queue_end) {
        go_last(self);
    }
}

}  // namespace

Scheduler scheduler;

LEETK_SCHEDULING __attribute__((noinline)) void* fresh_context(Fiber* fiber) {
    bool was_busy = scheduler.busy;
    scheduler.busy = true;
    int stack = take_stack();
    if (stack < 0) no_stack();
    fiber->stack = stack;
    void* made = make_context(stack_top(stack), run_threads);
    scheduler.busy = was_busy;
    return made;
}

void not_in_kernel(const char* what, const char* file, int line) {
    report_at(file, line, "api", true, "%s was called in host code; only kernels may call it",
              what);
    __builtin_trap();
}

bool in_kernel() {
    return scheduler.current && pthread_equal(pthread_self(), launcher_thread);
}

unsigned thread_rank() { return scheduler.current ? unsigned(scheduler.current->rank) : 0; }

LEETK_SCHEDULING void barrier(const char* file, int line) {
    Scheduler& s = scheduler;
    Fiber* self = s.current;
    if (__builtin_expect(!self, 0)) not_in_kernel("__syncthreads", file, line);
    self->file = file;
    self->line = line;
    self->state = State::at_barrier;
    if (__builtin_expect(tracing, 0)) trace_sync();
    pass_turn(self, next_thread());
}

LEETK_SCHEDULING int barrier_count(int predicate, const char* file, int line) {
    scheduler.arrived_true += predicate != 0;
    barrier(file, line);
    return scheduler.released_true;
}

LEETK_SCHEDULING int barrier_and(int predicate, const char* file, int line) {
    scheduler.arrived_true += predicate != 0;
    barrier(file, line);
    return scheduler.released_true == scheduler.released;
}

LEETK_SCHEDULING int barrier_or(int predicate, const char* file, int line) {
    scheduler.arrived_true += predicate != 0;
    barrier(file, line);
    return scheduler.released_true != 0;
}

LEETK_SCHEDULING void grid_barrier(const char* file, int line) {
    Scheduler& s = scheduler;
    if (!s.current) not_in_kernel("grid.sync()", file, line);
    if (!s.config->cooperative) {
        report_at(file, line, "api", true,
                  "grid.sync() in a kernel that was not launched by cudaLaunchCooperativeKernel");
    }
    ++s.grid_arrivals;
    barrier(file, line);
}

bool is_cooperative() { return scheduler.config && scheduler.config->cooperative; }

LEETK_SCHEDULING void yield() {
    Scheduler& s = scheduler;
    Fiber* self = s.current;
    if (!self) return;
    long runnable = s.queue_end - s.position;
    if (runnable != s.yielding) {
        s.yielding = runnable;
        s.yields = 0;
    } else if (++s.yields > patience * runnable) {
        s.yields = 0;
        let_others_run(self, true, true);
        return;
    }
    if (runnable > 1) go_last(self);
}

LEETK_SCHEDULING void spin() {
    // Most of the time is the loop's own, so that who asks where it went learns of its line.
    static unsigned turns;
    if (++turns % spins_between_yields == 0 && in_kernel()) yield();
}

LEETK_SCHEDULING void preempt(bool block, bool threads) {
    Scheduler& s = scheduler;
    Fiber* self = s.current;
    if (block) {
        let_others_run(self, false, threads);
    } else if (s.position + 1 != s.queue_end) {
        go_last(self);
    }
}

LEETK_SCHEDULING void pass_block(int hold) {
    Scheduler& s = scheduler;
    Fiber* self = s.current;
    s.busy = true;
    Fiber* other = turn_to_block(self, hold);
    s.busy = false;
    if (other) pass_turn(self, other);
}

// Ends the launch before any thread has done anything: the first one to run finds the bound.
LEETK_SCHEDULING void refuse_launch(int bound) {
    Scheduler& s = scheduler;
    const int stack = s.current->stack;
    s.busy = true;
    s.refused = true;
    s.current = nullptr;  // said of the launch, not of a thread
    report_at(s.site->file, s.site->line, "api", false,
              "the launch of %s is refused: %d threads a block; its __launch_bounds__ say %d at "
              "most",
              s.site->kernel, s.threads, bound);
    drop_stack(stack);
    s.busy = false;
    void* unused;
    leetk_switch(&unused, s.host);
}

// The timer's tick has to find a running thread, or there won't be another one.
LEETK_SCHEDULING __attribute__((noinline)) static void run_blocks() {
    Scheduler& s = scheduler;
    s.busy = true;
    Fiber* first = first_block();
    void* entry = fresh_context(first);
    enter(first);
    arm_timer();
    s.busy = false;
    leetk_switch(&s.host, entry);
    s.current = nullptr;
}

int run_grid(const Site& site, const Config& config, void (*body)(void*), void* context) {
    ensure_open();
    if (in_kernel()) {
        report_at(site.file, site.line, "unsupported", true,
                  "a kernel launches %s: dynamic parallelism needs the cuda backend", site.kernel);
    }
    if (is_forked()) {
        report_at(site.file, site.line, "api", false,
                  "the launch of %s is refused: CUDA does not work in a process that "
                  "solve forked", site.kernel);
        return set_error(initialization_error, "launch");
    }
    int code = check_launch(site, config);
    if (code != 0) return set_error(code, "launch");
    check_pointers(site, config);

    pthread_mutex_lock(&launching);
    open_for_launch();
    Scheduler& s = scheduler;
    block_size = {config.block.x, config.block.y, config.block.z};
    grid_size = {config.grid.x, config.grid.y, config.grid.z};
    block_threads = int(config.block.x * config.block.y * config.block.z);
    s.body = body;
    s.context = context;
    s.site = &site;
    s.config = &config;
    s.exit_noted = false;
    s.refused = false;
    s.fibers = home_fibers;
    s.queue = home_queue;
    s.warps = home_warps;
    prepare_shared(config.shared);
    begin_residency();
    begin_team();
    if (tracing) trace_launch();
    if (checking) {
        check_launch_begin();
        begin_turns();
    }
    launcher_thread = pthread_self();
    run_blocks();
    if (checking) check_launch_end();
    end_residency();
    finish_shared(site);
    end_team();
    s.site = nullptr;
    close_after_launch();
    pthread_mutex_unlock(&launching);
    return s.refused ? set_error(invalid_value, "launch") : 0;
}

}  // namespace leetk
