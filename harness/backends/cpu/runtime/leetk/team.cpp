// The blocks of one launch on several cores: this process forks helpers, and all of them take blocks
// from one shared count until there are none.
//
// Processes, not threads: each has its own scheduler, stacks and shared memory without a line of
// code for it, and one that faults reports like any other. Device memory is shared between them
// (memory.cpp), and the atomic functions are the processor's own. What else a kernel changes would
// stay with the helper that did it: a __device__ variable, memory from malloc in a kernel. A helper that finds
// such a change when it is done makes the process end with a report of the kind "team", and the
// judge calls solve again in a process that works alone.
//
// A program with variables of its own (__device__, __constant__, static) gets no team, as far as that
// can be told.
//
// A team is formed for a launch that has run for a while and has much left to do, so that small ones
// pay nothing. Blocks that wait for each other (residency.cpp) are left alone once that is known;
// found out later, they wait for blocks of other helpers, which run at the same time.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "leetk/heap.h"
#include "leetk/runtime.h"
#include "leetk/scheduler.h"

#if defined(__linux__) && defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
#define LEETK_TEAMS 1
#include <errno.h>
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#endif

namespace leetk {

#ifdef LEETK_TEAMS
namespace {

constexpr int most_helpers = 63;
constexpr long long worthwhile = 2000000;  // nanoseconds: some times what a fork costs
constexpr size_t most_variables = 16 << 20;
constexpr int spoilt = 77;

int processes = 1;
long long least_time = worthwhile;
long long started_at;
unsigned long long look_at;  // when so many blocks have started

pid_t helpers[most_helpers];
int helper_count;
bool is_helper;
unsigned long long* next_ticket;  // in memory that all share

// What a helper must not have changed when it is done.
struct Watched {
    const char* begin;
    size_t bytes;
    char* copy;
};
Watched watched[2];
size_t heap_bytes;

long long now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000ll + time.tv_nsec;
}

// Threads of this process: a directory has a link for each.
bool has_one_thread() {
    struct stat status;
    return stat("/proc/self/task", &status) == 0 && status.st_nlink == 3;
}

bool memory_is_shared() {
    for (int i = 0; const Mapping* mapping = mapping_at(i); ++i) {
        if (!mapping->shared) return false;
    }
    return true;
}

size_t libc_bytes() {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

void find_variables() {
    const char* data = before_data + variable_zone;
    const char* bss = before_bss + variable_zone;
    watched[0] = {data, size_t(after_data - data), nullptr};
    watched[1] = {bss, size_t(after_bss - bss), nullptr};
}

bool copy_variables() {
    for (Watched& part : watched) {
        void* got = mmap(nullptr, part.bytes + 1, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (got == MAP_FAILED) return false;
        part.copy = static_cast<char*>(got);
        memcpy(part.copy, part.begin, part.bytes);
    }
    return true;
}

bool unchanged() {
    for (const Watched& part : watched) {
        if (memcmp(part.copy, part.begin, part.bytes) != 0) return false;
    }
    return libc_bytes() == heap_bytes && heap_in_use() == 0;
}

bool can_form() {
    // Each process would have its own copy of a variable, on which blocks may wait for each other.
    // (Those with a value can't be told from the compiler's own data: they are watched.)
    if (after_bss != before_bss + variable_zone) return false;
    if (scheduler.config->cooperative || heap_in_use() != 0) return false;
    if (blocks_aside() || ascending() || !has_one_thread() || !memory_is_shared()) return false;
    find_variables();
    return watched[0].bytes + watched[1].bytes <= most_variables;
}

void begin_helper(pid_t parent) {
    static char buffer[4096];
    is_helper = true;
    own_process();
    helper_count = 0;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    if (!copy_variables()) _exit(spoilt);
    heap_bytes = libc_bytes();
    forget_timer();
    arm_timer();
}

void form() {
    void* got = mmap(nullptr, sizeof *next_ticket, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (got == MAP_FAILED) return;
    next_ticket = static_cast<unsigned long long*>(got);
    *next_ticket = scheduler.block;
    fflush(nullptr);  // or each helper would print it again
    const pid_t parent = getpid();
    while (helper_count < processes - 1) {
        pid_t made = fork();
        if (made == 0) return begin_helper(parent);
        if (made < 0) return;  // fewer then
        helpers[helper_count++] = made;
    }
}

void consider() {
    Scheduler& s = scheduler;
    const long long spent = now() - started_at;
    const unsigned long long left = s.blocks - s.block;
    look_at = ~0ull;
    if (spent < least_time) {
        look_at = 2 * s.block + 1;
    } else if (left > 1 && double(spent) * double(left) >= double(least_time) * double(s.block)) {
        if (can_form()) form();
    }
}

[[noreturn]] void end_helper() {
    if (!unchanged()) _exit(spoilt);
    fflush(stdout);
    _exit(0);
}

// Ends as the helper did: its report is written.
void end_like(int status) {
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
        _exit(128 + WTERMSIG(status));
    }
    if (WEXITSTATUS(status) == spoilt) {
        report("team", true, "the kernel changes memory that processes do not share");
    }
    if (WEXITSTATUS(status) != 0) _exit(WEXITSTATUS(status));
}

}  // namespace

void set_processes(int wanted) {
    processes = wanted < 1 ? 1 : wanted > most_helpers + 1 ? most_helpers + 1 : wanted;
}

bool wants_shared_memory() { return processes > 1; }

void begin_team() {
    look_at = ~0ull;
    if (processes == 1) return;
    if (getenv("LEETK_TEAM_AT_ONCE")) least_time = 0;
    started_at = now();
    look_at = 1;
}

bool take_block() {
    Scheduler& s = scheduler;
    if (s.block >= look_at && !next_ticket) consider();
    if (!next_ticket) return s.block != s.blocks;
    s.block = __atomic_fetch_add(next_ticket, 1, __ATOMIC_RELAXED);
    if (s.block < s.blocks) return true;
    s.block = s.blocks;
    return false;
}

bool block_left() {
    const Scheduler& s = scheduler;
    if (!next_ticket) return s.block != s.blocks;
    return __atomic_load_n(next_ticket, __ATOMIC_RELAXED) < s.blocks;
}

bool in_team() { return next_ticket; }

void end_team() {
    if (!next_ticket) return;
    if (is_helper) end_helper();
    for (; helper_count > 0; --helper_count) {
        int status;
        while (waitpid(helpers[helper_count - 1], &status, 0) < 0 && errno == EINTR) {
        }
        end_like(status);
    }
    munmap(next_ticket, sizeof *next_ticket);
    next_ticket = nullptr;
}

#else

void set_processes(int) {}
bool wants_shared_memory() { return false; }
void begin_team() {}
bool take_block() { return scheduler.block != scheduler.blocks; }
bool block_left() { return scheduler.block != scheduler.blocks; }
bool in_team() { return false; }
void end_team() {}

#endif

}  // namespace leetk
