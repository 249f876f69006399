// What is said about a barrier that not all threads of a block reach.
//
// Two cases, and the decision behind each:
//
// divergent_barrier (fatal). Live threads wait at different lines. CUDA calls that undefined
// (Programming Guide, "Synchronization Functions": a barrier in conditional code is allowed only if
// the condition is the same in the whole block). Hardware would count the arrivals without looking
// at the line and let both groups go on, each past the other's barrier, which is never what the
// author meant. The same line reached through several inlined functions or template instances is
// one barrier.
//
// exited_before_barrier (not fatal). Some threads ended, the others wait. Since compute capability
// 7.0 the barrier waits for the threads of the block that haven't ended, so the kernel goes on
// there and it does here. It is said because the author of an early `return` seldom wants it: the
// threads that left load no part of the tile.
#include <stdio.h>
#include <string.h>

#include "leetk/runtime.h"
#include "leetk/scheduler.h"

namespace leetk {
namespace {

bool same_place(const Fiber& a, const Fiber& b) {
    return a.line == b.line && (a.file == b.file || strcmp(a.file, b.file) == 0);
}

int count_at(const Fiber& place) {
    int count = 0;
    for (int i = 0; i < scheduler.threads; ++i) {
        const Fiber& fiber = scheduler.fibers[i];
        count += fiber.state != State::exited && same_place(fiber, place);
    }
    return count;
}

struct Place {
    const char* file;
    int line;
};
constexpr int most_noted = 16;
Place noted[most_noted];
int noted_count;

}  // namespace

void report_divergence() {
    Scheduler& s = scheduler;
    Fiber* first = nullptr;
    Fiber* second = nullptr;
    for (int i = 0; i < s.threads && !second; ++i) {
        Fiber& fiber = s.fibers[i];
        if (fiber.state == State::exited) continue;
        if (!first) {
            first = &fiber;
        } else if (!same_place(fiber, *first)) {
            second = &fiber;
        }
    }
    int at_first = count_at(*first);
    int at_second = count_at(*second);
    int elsewhere = s.live - at_first - at_second;
    s.current = at_second < at_first ? second : first;
    Fiber& said = *s.current;
    char more[96] = "";
    if (elsewhere > 0) snprintf(more, sizeof more, ", %d elsewhere", elsewhere);
    report_at(said.file, said.line, "divergent_barrier", true,
              "threads of a block wait at different __syncthreads: %d at %s:%d (thread %u,%u,%u "
              "the first), %d at %s:%d (thread %u,%u,%u)%s; all threads of a block must reach the "
              "same barrier",
              at_first, base_name(first->file), first->line, first->index.x, first->index.y,
              first->index.z, at_second, base_name(second->file), second->line, second->index.x,
              second->index.y, second->index.z, more);
    __builtin_trap();
}

void note_ended_threads() {
    Scheduler& s = scheduler;
    s.exit_noted = true;
    const Fiber* waiting = nullptr;
    Fiber* ended = nullptr;
    for (int i = 0; i < s.threads; ++i) {
        Fiber& fiber = s.fibers[i];
        if (fiber.state == State::exited) {
            if (!ended) ended = &fiber;
        } else if (!waiting) {
            waiting = &fiber;
        }
    }
    for (int i = 0; i < noted_count; ++i) {
        if (noted[i].line == waiting->line && !strcmp(noted[i].file, waiting->file)) return;
    }
    if (noted_count < most_noted) noted[noted_count++] = {waiting->file, waiting->line};
    Fiber* running = s.current;
    s.current = ended;
    report_at(waiting->file, waiting->line, "exited_before_barrier", false,
              "threads of a block ended before the __syncthreads at %s:%d that the others wait "
              "at; a GPU goes on without them, but they take no part in what follows",
              base_name(waiting->file), waiting->line);
    s.current = running;
}

void forget_noted_threads() { noted_count = 0; }

}  // namespace leetk
