// Runs the threads of a grid, block after block, as cooperative threads of one host thread.
//
// A thread runs until it has to wait (at a barrier) or ends. The threads of a block are run one
// after another on the same stack. When one has to wait, that stack stays with it, and the loop
// goes on on a fresh one; so a kernel without barriers is a plain loop of calls, and a stack is
// taken only by a thread that waits. `queue` lists the threads that may run before the next
// *release*; when it is used up, all live threads wait, and next_segment (blocks.cpp) releases
// them, or begins the next block, or finds out why it can't.
//
// Warp operations fit in so: a thread that waits for lanes becomes State::in_warp and passes the
// turn on as barrier() does; the last lane to come puts the others back at the queue's end, as
// yield() does for the thread itself. A queue that ends with threads in State::in_warp is a
// deadlock.
#include "leetk/scheduler.h"

#include <pthread.h>
#include <string.h>

#include "leetk/fiber.h"
#include "leetk/runtime.h"

namespace leetk {

Three thread_index;
Three block_index;
Three block_size;
Three grid_size;
Scheduler scheduler;

namespace {

pthread_mutex_t launching = PTHREAD_MUTEX_INITIALIZER;
pthread_t launcher_thread;

inline void enter(Fiber* fiber) {
    scheduler.current = fiber;
    thread_index = {fiber->index.x, fiber->index.y, fiber->index.z};
}

// Switching costs little more than the first access to the other thread's stack, which the other
// threads' stacks have pushed out of the L1 cache. So the stack of the thread after the next two is
// fetched ahead: the saved registers, and the frame that lies above them.
inline Fiber* next_thread() {
    Scheduler& s = scheduler;
    const char* ahead = static_cast<const char*>(s.position[fetched_ahead]->context);
    __builtin_prefetch(ahead);
    __builtin_prefetch(ahead + 64);
    return ++s.position != s.queue_end ? *s.position : next_segment();
}

// What every stack runs: threads that haven't started yet, until there are none.
void run_threads() {
    Scheduler& s = scheduler;
    for (;;) {
        s.body(s.context);
        Fiber* self = s.current;
        self->state = State::exited;
        self->context = nullptr;
        --s.live;
        ++s.ended;
        Fiber* next = next_thread();
        if (next && !next->context) {
            next->stack = self->stack;
            enter(next);
            continue;
        }
        drop_stack(self->stack);
        void* unused;
        if (next) enter(next);
        leetk_switch(&unused, next ? next->context : s.host);
    }
}

[[noreturn]] void no_stack() {
    report("limit", true, "no memory for the stacks of a block's threads");
    __builtin_trap();
}

__attribute__((noinline)) void* fresh_context(Fiber* fiber) {
    int stack = take_stack();
    if (stack < 0) no_stack();
    fiber->stack = short(stack);
    return make_context(stack_top(stack), run_threads);
}

// Suspends `self` in favour of `next`. leetk_switch is its last act, so that the compiler jumps
// there: see fiber.cpp.
inline void pass_turn(Fiber* self, Fiber* next) {
    if (next == self) return;
    enter(next);
    void* to = next->context ? next->context : fresh_context(next);
    leetk_switch(&self->context, to);
}

[[noreturn]] void not_in_kernel(const char* what, const char* file, int line) {
    report_at(file, line, "api", true, "%s was called in host code", what);
    __builtin_trap();
}

inline bool by_launcher() { return pthread_equal(pthread_self(), launcher_thread); }

}  // namespace

bool in_kernel() { return scheduler.current && by_launcher(); }

unsigned thread_rank() {
    return scheduler.current ? unsigned(scheduler.current - scheduler.fibers) : 0;
}

void barrier(const char* file, int line) {
    Scheduler& s = scheduler;
    Fiber* self = s.current;
    if (__builtin_expect(!self, 0)) not_in_kernel("__syncthreads", file, line);
    self->file = file;
    self->line = line;
    self->state = State::at_barrier;
    pass_turn(self, next_thread());
}

int barrier_count(int predicate, const char* file, int line) {
    scheduler.arrived_true += predicate != 0;
    barrier(file, line);
    return scheduler.released_true;
}

int barrier_and(int predicate, const char* file, int line) {
    scheduler.arrived_true += predicate != 0;
    barrier(file, line);
    return scheduler.released_true == scheduler.released;
}

int barrier_or(int predicate, const char* file, int line) {
    scheduler.arrived_true += predicate != 0;
    barrier(file, line);
    return scheduler.released_true != 0;
}

void yield() {
    Scheduler& s = scheduler;
    Fiber* self = s.current;
    if (!self || s.position + 1 == s.queue_end) return;
    if (s.queue_end == s.queue + queue_room) {
        size_t left = size_t(s.queue_end - s.position);
        memmove(s.queue, s.position, left * sizeof(Fiber*));
        s.position = s.queue;
        s.queue_end = s.queue + left;
    }
    *s.queue_end++ = self;
    for (int i = 0; i < fetched_ahead; ++i) s.queue_end[i] = self;
    s.yielded = true;
    pass_turn(self, next_thread());
}

int run_grid(const Site& site, const Config& config, void (*body)(void*), void* context) {
    ensure_open();
    if (in_kernel()) {
        report_at(site.file, site.line, "unsupported", true,
                  "a kernel launches %s: dynamic parallelism needs the cuda backend", site.kernel);
    }
    int code = check_launch(site, config);
    if (code != 0) return set_error(code);
    check_pointers(site, config);

    pthread_mutex_lock(&launching);
    open_for_launch();
    Scheduler& s = scheduler;
    block_size = {config.block.x, config.block.y, config.block.z};
    grid_size = {config.grid.x, config.grid.y, config.grid.z};
    s.body = body;
    s.context = context;
    s.site = &site;
    s.exit_noted = false;
    prepare_shared(config.shared);
    launcher_thread = pthread_self();
    Fiber* first = first_block();
    void* entry = fresh_context(first);
    enter(first);
    leetk_switch(&s.host, entry);
    s.current = nullptr;
    s.site = nullptr;
    finish_shared(site);
    close_after_launch();
    pthread_mutex_unlock(&launching);
    return 0;
}

}  // namespace leetk
