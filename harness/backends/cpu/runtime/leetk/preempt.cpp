// Takes the turn from a thread that doesn't give it away: one that polls memory in a loop without
// any call (`while (*(volatile int*)flag == 0);`), where a GPU would run the other threads
// meanwhile.
//
// A timer ticks while kernels run. When it finds that the same thread has been
// running since it last looked, the block's others have a turn; when the block has come no further
// (no thread has ended, no barrier been passed) for some ticks, another block does. The handler
// runs on the interrupted thread's own stack and switches from there, so that the thread goes on
// later as if nothing had happened. That is only done in the solution's code: neither in the
// scheduler (LEETK_SCHEDULING, `busy`) nor in libraries, which may hold locks.
//
// The timer is set at a launch and runs for one tick; so host code is interrupted once at most.
// Kernels that run for long without a barrier are interrupted without need, and don't notice. Once
// a thread or a block had to make room for another one, the ticks come faster: there will be more to
// wait for. A loop that polls shared memory spends half of its time in the loader, which finds the
// thread-local variable: a tick that hits it there is followed by others at once.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "leetk/machine.h"
#include "leetk/runtime.h"
#include "leetk/scheduler.h"
#include "leetk/watch.h"

#if defined(__linux__)
extern "C" __attribute__((weak, visibility("hidden"))) const char __start_leetk_text[];
extern "C" __attribute__((weak, visibility("hidden"))) const char __stop_leetk_text[];
extern "C" __attribute__((visibility("hidden"))) const char __start_leetk_scheduling[];
extern "C" __attribute__((visibility("hidden"))) const char __stop_leetk_scheduling[];
#endif

namespace leetk {

#if defined(__linux__)
namespace {

constexpr int signal_number = SIGVTALRM;
constexpr long tick = 10000000;  // nanoseconds
constexpr long fast_tick = 250000;
constexpr long retry_tick = 20000;
constexpr long most_lateness = 2 * tick;
constexpr int most_retries = 4;
constexpr int ticks_without_progress = 2;
constexpr int ticks_a_block = 10;

volatile sig_atomic_t armed;
long long expected;  // when the next tick is due, in nanoseconds
volatile sig_atomic_t deciding;
bool fast;  // in this launch
int retries;  // since somebody else should have had a turn, and the thread could not be interrupted
bool have_timer;
int timer;        // the kernel's number for it
pthread_t timed;  // the thread that it sends its signal to

// What the last tick saw.
struct Seen {
    const Fiber* thread;
    Fiber** position;
    Fiber* fibers;
    unsigned long long block;
    unsigned long long releases;
    int live;
    int still;   // ticks without progress
    int length;  // ticks in this block
};
Seen seen;

long long clock_now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000ll + time.tv_nsec;
}

// By system calls, because the C library's functions for it need another library before glibc 2.34,
// and because its timers can't signal one thread.
void make_timer() {
    if (have_timer) syscall(SYS_timer_delete, timer);
    sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = 4;  // SIGEV_THREAD_ID
    event.sigev_signo = signal_number;
    event._sigev_un._tid = pid_t(syscall(SYS_gettid));
    have_timer = syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer) == 0;
    timed = pthread_self();
}

void set_timer() {
    itimerspec once{};
    once.it_value.tv_nsec = retries ? retry_tick : fast ? fast_tick : tick;
    expected = clock_now() + once.it_value.tv_nsec;
    armed = have_timer && syscall(SYS_timer_settime, timer, 0, &once, nullptr) == 0;
}

// While accesses are checked a thread gives way at one (trace.cpp), never between the look at an
// access and the access.
bool may_interrupt(uintptr_t pc) {
    auto within = [pc](const char* begin, const char* end) {
        return pc >= uintptr_t(begin) && pc < uintptr_t(end);
    };
    return !scheduler.busy && !checking && in_code(pc) &&
           !within(__start_leetk_scheduling, __stop_leetk_scheduling) &&
           !within(__start_leetk_text, __stop_leetk_text);
}

// Compares with what the last tick saw: the running thread is the same, another block should run.
void observe(bool* same_thread, bool* other_block) {
    const Scheduler& s = scheduler;
    bool same_block = seen.fibers == s.fibers && seen.block == s.block;
    bool still = same_block && seen.releases == s.releases && seen.live == s.live;
    *same_thread = still && seen.thread == s.current && seen.position == s.position;
    seen.still = still ? seen.still + 1 : 0;
    seen.length = same_block ? seen.length + 1 : 0;
    *other_block = seen.still >= ticks_without_progress || seen.length >= ticks_a_block;
    seen.thread = s.current;
    seen.position = s.position;
    seen.fibers = s.fibers;
    seen.block = s.block;
    seen.releases = s.releases;
    seen.live = s.live;
}

enum class Turn { keep, thread, block, block_or_thread };

// Whether the thread that the last tick in time saw runs on, without any progress of its block.
bool is_as_seen() {
    const Scheduler& s = scheduler;
    return seen.thread == s.current && seen.position == s.position && seen.fibers == s.fibers &&
           seen.block == s.block && seen.releases == s.releases;
}

// Who should run now, by a tick that came at its time.
Turn choose() {
    bool same_thread, other_block;
    observe(&same_thread, &other_block);
    fast |= same_thread;  // it polls, and threads of other blocks will
    if (other_block) return same_thread ? Turn::block_or_thread : Turn::block;
    return same_thread ? Turn::thread : Turn::keep;
}

// Who runs now.
Turn decide(uintptr_t pc) {
    static Turn wanted;
    armed = 0;
    if (!in_kernel()) {
        // Between two blocks nobody is running; they go on.
        if (scheduler.busy) set_timer();
        return Turn::keep;
    }
    fast |= blocks_aside();
    if (!retries) {
        wanted = choose();
    } else if (!is_as_seen()) {
        wanted = Turn::keep;
    }
    const bool may = may_interrupt(pc);
    const bool again = wanted != Turn::keep && !may && !scheduler.busy && !checking;
    retries = again && retries < most_retries ? retries + 1 : 0;
    set_timer();
    if (may) return wanted;
    if (wanted == Turn::block || wanted == Turn::block_or_thread) scheduler.slice_due = true;
    const bool from_thread = wanted == Turn::thread || wanted == Turn::block_or_thread;
    scheduler.turn_due = from_thread ? scheduler.current : nullptr;
    return Turn::keep;
}

// The next tick may come while this function runs. It must not preempt in here, because it doesn't
// know what this one interrupted.
LEETK_SCHEDULING void on_tick(int, siginfo_t*, void* context) {
    if (deciding) return set_timer();
    deciding = 1;
    int error = errno;
    Turn turn = decide(pc_of(static_cast<const ucontext_t*>(context)));
    errno = error;
    deciding = 0;
    if (turn == Turn::keep) return;
    preempt(turn != Turn::thread, turn != Turn::block);
    errno = error;
}

}  // namespace

void arm_timer() {
    fast = false;
    retries = 0;
    scheduler.turn_due = nullptr;
    const bool ours = have_timer && pthread_equal(timed, pthread_self());
    if (armed && ours) return;
    if (!ours) make_timer();
    struct sigaction action {};
    action.sa_sigaction = on_tick;
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    sigaction(signal_number, &action, nullptr);
    set_timer();
}

// For a loop that polls while accesses are checked: it is asked for every few accesses, and must not
// hang on a tick that was lost.
void rearm_late_timer() {
    if (armed && clock_now() < expected + most_lateness) return;
    set_timer();
}

void forget_timer() {
    have_timer = false;
    armed = 0;
}
#else
void arm_timer() {}
// For a loop that polls while accesses are checked: it is asked for every few accesses, and must not
// hang on a tick that was lost.
void rearm_late_timer() {}
void forget_timer() {}
#endif

}  // namespace leetk
