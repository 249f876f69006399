// What is said about threads that wait for each other in vain.
//
// The cases, and the decision behind each:
//
// divergent_barrier (fatal). Live threads wait at different lines. CUDA calls that undefined
// (Programming Guide, "Synchronization Functions": a barrier in conditional code is allowed only if
// the condition is the same in the whole block). Hardware would count the arrivals without looking
// at the line and let both groups go on, each past the other's barrier, which is never what the
// author meant. Barriers that share a line are told apart (rewrite/kernel_edits.py); the same one
// reached through several inlined functions or template instances is one barrier.
//
// deadlock (fatal). A lane waits in a warp operation for lanes that wait elsewhere: at a barrier,
// in another operation, or in one with another mask. A GPU hangs, or gives undefined results.
// Blocks wait at grid.sync() for blocks that have ended: a GPU hangs.
//
// exited_before_barrier (not fatal). Some threads ended, the others wait. Since compute capability
// 7.0 the barrier waits for the threads of the block that haven't ended, and a warp operation for
// the lanes that haven't, so the kernel goes on there and it does here. It is said because the
// author of an early `return` seldom wants it: the threads that left load no part of the tile, and
// what is read from a lane that left is undefined.
#include <stdio.h>
#include <string.h>

#include "leetk/runtime.h"
#include "leetk/scheduler.h"

namespace leetk {
namespace {

bool same_place(const Fiber& a, const Fiber& b) {
    return a.line == b.line && (a.file == b.file || strcmp(a.file, b.file) == 0);
}

int line_of(const Fiber& fiber) { return fiber.line & ((1 << line_bits) - 1); }

// Which one of its line, where there are several.
const char* number_of(const Fiber& fiber) {
    static constexpr const char* names[] = {"", " (the second one there)", " (the third one there)"};
    const int number = fiber.line >> line_bits;
    return number < 3 ? names[number] : " (one further on there)";
}

int count_at(const Fiber& place) {
    int count = 0;
    for (int i = 0; i < scheduler.threads; ++i) {
        const Fiber& fiber = scheduler.fibers[i];
        count += fiber.state != State::exited && same_place(fiber, place);
    }
    return count;
}

const char* waits_in(const Fiber& fiber) {
    if (fiber.state == State::at_barrier) return "a barrier";
    if (fiber.state == State::ready) return "other code";
    return wanted_by(fiber).operation;
}

// A live thread that `fiber` waits for and that waits elsewhere; null if there is none.
Fiber* awaited(const Fiber& fiber) {
    Scheduler& s = scheduler;
    int first = fiber.rank / warp_lanes * warp_lanes;
    int end = first + warp_lanes;
    unsigned missing = ~0u;
    if (fiber.state == State::in_tile) {
        const int size = 64 << fiber.tile;
        first = fiber.rank & -size;
        end = first + size;
    } else if (fiber.state == State::in_warp) {
        missing = wanted_by(fiber).missing;
    } else {
        return nullptr;
    }
    for (int i = first; i < end && i < s.threads; ++i) {
        Fiber& other = s.fibers[i];
        if (other.state == State::exited || !(missing >> (i % warp_lanes) & 1)) continue;
        if (fiber.state == State::in_warp || other.state != fiber.state) return &other;
    }
    return nullptr;
}

struct NotedPlace {
    const char* file;
    int line;
};
constexpr int most_noted = 16;
NotedPlace noted[most_noted];
int noted_count;

// Notes the place, once a call of solve. False if it has been noted.
bool note(const Fiber& at) {
    for (int i = 0; i < noted_count; ++i) {
        if (noted[i].line == line_of(at) && !strcmp(noted[i].file, at.file)) return false;
    }
    if (noted_count < most_noted) noted[noted_count++] = {at.file, line_of(at)};
    return true;
}

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
    if (!second) second = first;  // two kinds of barrier on one line
    int at_first = count_at(*first);
    int at_second = count_at(*second);
    int elsewhere = s.live - at_first - at_second;
    s.current = at_second < at_first ? second : first;
    Fiber& said = *s.current;
    char more[96] = "";
    if (elsewhere > 0) snprintf(more, sizeof more, ", %d elsewhere", elsewhere);
    report_at(said.file, line_of(said), "divergent_barrier", true,
              "threads of a block wait at different %s: %d at %s:%d%s (thread %u,%u,%u "
              "the first), %d at %s:%d%s (thread %u,%u,%u)%s; all threads of a block must reach the "
              "same barrier",
              s.grid_arrivals ? "barriers (__syncthreads, grid.sync())" : "__syncthreads", at_first,
              base_name(first->file), line_of(*first), number_of(*first), first->index.x,
              first->index.y, first->index.z, at_second, base_name(second->file),
              line_of(*second), number_of(*second), second->index.x, second->index.y,
              second->index.z, more);
    __builtin_trap();
}

void report_deadlock() {
    Scheduler& s = scheduler;
    Fiber* one = nullptr;
    Fiber* other = nullptr;
    for (int i = 0; i < s.threads && !other; ++i) {
        one = &s.fibers[i];
        if (one->state != State::exited) other = awaited(*one);
    }
    if (!other) other = one;
    s.current = one;
    report_at(one->file, line_of(*one), "deadlock", true,
              "%d thread%s wait%s in %s at %s:%d (thread %u,%u,%u the first) for threads that wait "
              "elsewhere: %d in %s at %s:%d (thread %u,%u,%u); all lanes that a mask names must "
              "come to the same operation",
              count_at(*one), count_at(*one) == 1 ? "" : "s", count_at(*one) == 1 ? "s" : "",
              waits_in(*one), base_name(one->file), line_of(*one), one->index.x, one->index.y,
              one->index.z, count_at(*other), waits_in(*other), base_name(other->file),
              line_of(*other), other->index.x, other->index.y, other->index.z);
    __builtin_trap();
}

void report_mismatch(const Fiber& one, const char* what, const Fiber& other,
                     const char* other_what) {
    report_at(one.file, line_of(one), "deadlock", true,
              "lanes of a warp with the same mask meet in different operations: thread %u,%u,%u in "
              "%s at %s:%d, thread %u,%u,%u in %s at %s:%d; all lanes that a mask names must come "
              "to the same operation",
              one.index.x, one.index.y, one.index.z, what, base_name(one.file), line_of(one),
              other.index.x, other.index.y, other.index.z, other_what, base_name(other.file),
              line_of(other));
    __builtin_trap();
}

void report_grid_deadlock(unsigned long long waiting) {
    Scheduler& s = scheduler;
    const char* file = s.site->file;
    int line = s.site->line;
    for (int i = 0; i < s.threads; ++i) {
        if (s.fibers[i].state != State::at_barrier) continue;
        file = s.fibers[i].file;
        line = line_of(s.fibers[i]);
    }
    report_at(file, line, "deadlock", true,
              "%llu of the grid's %llu blocks wait at grid.sync() for the others, which have "
              "ended; all blocks, each with its thread 0, must come to it",
              waiting, s.blocks);
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
    if (!note(*waiting)) return;
    Fiber* running = s.current;
    s.current = ended;
    report_at(waiting->file, line_of(*waiting), "exited_before_barrier", false,
              "threads of a block ended before the __syncthreads at %s:%d that the others wait "
              "at; a GPU goes on without them, but they take no part in what follows",
              base_name(waiting->file), line_of(*waiting));
    s.current = running;
}

void note_ended_lanes(const char* what, const Fiber& waiting, unsigned lanes) {
    Scheduler& s = scheduler;
    int rank = waiting.rank / warp_lanes * warp_lanes + __builtin_ctz(lanes);
    if (rank >= s.threads || !note(waiting)) return;  // lanes that the block never had
    Fiber* running = s.current;
    s.current = &s.fibers[rank];
    report_at(waiting.file, line_of(waiting), "exited_before_barrier", false,
              "lanes of a warp ended before the %s at %s:%d that names them; a GPU goes on without "
              "them, and what is read from them is undefined",
              what, base_name(waiting.file), line_of(waiting));
    s.current = running;
}

void forget_noted_threads() { noted_count = 0; }

}  // namespace leetk
