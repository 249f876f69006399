// Walks the stack with the unwinder that comes with the compiler. It isn't meant for signal
// handlers, and the stack may be damaged: a fault on the way gives up and returns 0. Functions that
// work for the solution on pointers that it gave (copies) are marked LEETK_RUNTIME_CODE and passed
// over.
#include "leetk/backtrace.h"

#include <setjmp.h>
#include <signal.h>
#include <unwind.h>

#include "leetk/runtime.h"

extern "C" __attribute__((weak, visibility("hidden"))) const char __start_leetk_text[];
extern "C" __attribute__((weak, visibility("hidden"))) const char __stop_leetk_text[];

namespace leetk {
namespace {

constexpr int most_frames = 64;

struct Walk {
    uintptr_t* found;
    int room;
    bool runtime;  // its functions count, too
    int count = 0;
    int frames = 0;
    bool interrupted = false;  // past the handler's own frames
};

sigjmp_buf retreat;

void give_up(int) { siglongjmp(retreat, 1); }

_Unwind_Reason_Code visit(struct _Unwind_Context* context, void* raw) {
    Walk& walk = *static_cast<Walk*>(raw);
    int before = 0;
    uintptr_t pc = uintptr_t(_Unwind_GetIPInfo(context, &before));
    if (++walk.frames > most_frames || pc == 0) return _URC_END_OF_STACK;
    if (before) walk.interrupted = true;
    if (!walk.interrupted) return _URC_NO_REASON;
    if (!before) --pc;  // a return address: the call lies before it
    if (!in_code(pc) || (in_runtime(pc) && !walk.runtime)) return _URC_NO_REASON;
    walk.found[walk.count++] = pc;
    return walk.count == walk.room ? _URC_END_OF_STACK : _URC_NO_REASON;
}

void follow(Walk& walk) {
    struct sigaction action {};
    struct sigaction old;
    action.sa_handler = give_up;
    action.sa_flags = SA_NODEFER | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &old);
    if (sigsetjmp(retreat, 1) == 0) _Unwind_Backtrace(visit, &walk);
    sigaction(SIGSEGV, &old, nullptr);
}

}  // namespace

bool in_runtime(uintptr_t pc) {
    return pc >= uintptr_t(__start_leetk_text) && pc < uintptr_t(__stop_leetk_text);
}

uintptr_t caller_in_code() {
    uintptr_t found = 0;
    Walk walk{&found, 1, false};
    follow(walk);
    return found;
}

int callers_in_code(uintptr_t* found, int room) {
    Walk walk{found, room, true};
    follow(walk);
    return walk.count;
}

}  // namespace leetk
