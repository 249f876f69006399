// Fences, clocks and traps of kernels.
#include "api/device_functions.h"

#include <time.h>

#include "leetk/order.h"
#include "leetk/trace.h"
#include "leetk/watch.h"

namespace {

// A fence is where a thread that spins on memory may let others run: at every so many of them.
constexpr unsigned fences_between_yields = 16;
unsigned fences;

void only_in_kernels(const char* name, const char* file, int line) {
    if (!leetk::in_kernel())
        leetk::report_at(file, line, "api", true,
                         "%s() was called in host code; only kernels may call it", name);
}

void fence(leetk::FenceScope scope, const char* name, const char* file, int line) {
    only_in_kernels(name, file, line);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (leetk::checking) leetk::order_fence(scope);
    const unsigned count = __atomic_load_n(&fences, __ATOMIC_RELAXED) + 1;
    __atomic_store_n(&fences, count, __ATOMIC_RELAXED);
    if (count % fences_between_yields == 0) leetk::yield();
}

[[noreturn]] void trap(const char* name, const char* file, int line) {
    only_in_kernels(name, file, line);
    leetk::report_at(file, line, "trap", true, "%s() was called", name);
    __builtin_trap();
}

}  // namespace

void __threadfence(const char* file, int line) {
    fence(leetk::FenceScope::device, "__threadfence", file, line);
}
void __threadfence_block(const char* file, int line) {
    fence(leetk::FenceScope::block, "__threadfence_block", file, line);
}
void __threadfence_system(const char* file, int line) {
    fence(leetk::FenceScope::device, "__threadfence_system", file, line);
}

void __nanosleep(unsigned int, const char* file, int line) {
    only_in_kernels("__nanosleep", file, line);
    leetk::yield();
}

void __trap(const char* file, int line) { trap("__trap", file, line); }
void __brkpt(const char* file, int line) { trap("__brkpt", file, line); }

long long clock64() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000000000 + now.tv_nsec;
}

namespace leetk {

void assert_failed(const char* expression, const char* file, unsigned int line,
                   const char* function) {
    report_at(file, (int)line, "trap", true, "assertion `%s` failed in %s", expression, function);
    __builtin_trap();
}

}  // namespace leetk
