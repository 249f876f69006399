// Finding the solution's code behind a fault in a library function that it called.
#ifndef LEETK_BACKTRACE_H
#define LEETK_BACKTRACE_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

namespace leetk {

// Called in a signal handler: the innermost caller that lies in the library's code but not in this
// runtime, or 0.
uintptr_t caller_in_code();
// Likewise all places in the library's code, this runtime's among them, from the innermost one on:
// at most `room`. Returns how many.
int callers_in_code(uintptr_t* found, int room);
// The same for the stack that the function which called itself most often takes up, be it directly or
// through others.
struct Recursion {
    int calls;
    size_t bytes;
};
Recursion deepest_recursion();
// In functions that work for the solution: LEETK_RUNTIME_CODE.
bool in_runtime(uintptr_t pc);

}  // namespace leetk

#pragma GCC visibility pop

#endif
