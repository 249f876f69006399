// How one thread of a block hands over to another: shared by the files that make threads wait.
#ifndef LEETK_SWITCHING_H
#define LEETK_SWITCHING_H

#include "leetk/fiber.h"
#include "leetk/scheduler.h"

#pragma GCC visibility push(hidden)

namespace leetk {

// A fresh stack for a thread that starts.
void* fresh_context(Fiber* fiber);

[[noreturn]] void not_in_kernel(const char* what, const char* file, int line);

LEETK_SCHEDULING static inline void enter(Fiber* fiber) {
    scheduler.current = fiber;
    thread_index = {fiber->index.x, fiber->index.y, fiber->index.z};
}

// Switching costs little more than the first access to the other thread's stack, which the other
// threads' stacks have pushed out of the L1 cache. So the stack of the thread after the next two is
// fetched ahead: the saved registers, and the frame that lies above them.
LEETK_SCHEDULING static inline Fiber* next_thread() {
    Scheduler& s = scheduler;
    const char* ahead = static_cast<const char*>(s.position[fetched_ahead]->context);
    __builtin_prefetch(ahead);
    __builtin_prefetch(ahead + 64);
    return ++s.position != s.queue_end ? *s.position : next_segment();
}

// Suspends `self` in favour of `next`. leetk_switch is its last act, so that the compiler jumps
// there: see fiber.cpp.
LEETK_SCHEDULING static inline void pass_turn(Fiber* self, Fiber* next) {
    if (next == self) return;
    enter(next);
    void* to = next->context ? next->context : fresh_context(next);
    leetk_switch(&self->context, to);
}

// Makes room for a warp's lanes at the queue's end.
LEETK_SCHEDULING static inline void make_room() {
    Scheduler& s = scheduler;
    if (s.queue_end + warp_lanes <= s.queue + queue_room) return;
    bool was_busy = s.busy;
    s.busy = true;
    long left = s.queue_end - s.position;
    __builtin_memmove(s.queue, s.position, size_t(left) * sizeof(Fiber*));
    s.position = s.queue;
    s.queue_end = s.queue + left;
    s.busy = was_busy;
}

// `next_thread` looks a few places past the end.
LEETK_SCHEDULING static inline void close_queue(Fiber* any) {
    for (int i = 0; i < fetched_ahead; ++i) scheduler.queue_end[i] = any;
    scheduler.yielded = true;
}

}  // namespace leetk

#pragma GCC visibility pop

#endif
