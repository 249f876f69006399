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

// How often a function is on the stack, and from where to where.
struct Repeated {
    uintptr_t function;
    uintptr_t innermost, outermost;
    int calls;
};
constexpr int most_functions = 32;
constexpr int most_calls = 16384;

struct Calls {
    int frames = 0;
    bool interrupted = false;
    int count = 0;
    Repeated functions[most_functions];
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

_Unwind_Reason_Code count_call(struct _Unwind_Context* context, void* raw) {
    Calls& calls = *static_cast<Calls*>(raw);
    int before = 0;
    const uintptr_t pc = uintptr_t(_Unwind_GetIPInfo(context, &before));
    if (++calls.frames > most_calls || pc == 0) return _URC_END_OF_STACK;
    if (before) calls.interrupted = true;
    if (!calls.interrupted || !in_code(pc)) return _URC_NO_REASON;
    const uintptr_t function = uintptr_t(_Unwind_GetRegionStart(context));
    const uintptr_t frame = uintptr_t(_Unwind_GetCFA(context));
    int i = 0;
    while (i < calls.count && calls.functions[i].function != function) ++i;
    if (i == most_functions) return _URC_NO_REASON;
    if (i == calls.count) calls.functions[calls.count++] = {function, frame, frame, 0};
    ++calls.functions[i].calls;
    calls.functions[i].outermost = frame;
    return _URC_NO_REASON;
}

// Walks up from a fault, in its handler.
void walk(_Unwind_Trace_Fn visitor, void* state) {
    struct sigaction action {};
    struct sigaction old;
    action.sa_handler = give_up;
    action.sa_flags = SA_NODEFER | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &old);
    if (sigsetjmp(retreat, 1) == 0) _Unwind_Backtrace(visitor, state);
    sigaction(SIGSEGV, &old, nullptr);
}

}  // namespace

bool in_runtime(uintptr_t pc) {
    return pc >= uintptr_t(__start_leetk_text) && pc < uintptr_t(__stop_leetk_text);
}

uintptr_t caller_in_code() {
    uintptr_t found = 0;
    Walk state{&found, 1, false};
    walk(visit, &state);
    return found;
}

int callers_in_code(uintptr_t* found, int room) {
    Walk state{found, room, true};
    walk(visit, &state);
    return state.count;
}

Recursion deepest_recursion() {
    Calls calls;
    walk(count_call, &calls);
    Recursion deepest{};
    for (int i = 0; i < calls.count; ++i) {
        const Repeated& one = calls.functions[i];
        if (one.calls > deepest.calls) {
            deepest = {one.calls, size_t(one.outermost - one.innermost)};
        }
    }
    return deepest;
}

}  // namespace leetk
