// malloc, free, new and delete: in a kernel those of the device's heap (leetk/heap.cpp), in host code
// the C library's. The linker has the solution call these (--wrap, job.py).
//
// The runtime's own calls, which it makes with `busy` set, are the host's.
#include "leetk/heap.h"

#include <stddef.h>

#include "leetk/runtime.h"
#include "leetk/scheduler.h"

#if defined(__linux__)

namespace std {
struct nothrow_t;
}
extern "C" {
void* __real_malloc(size_t bytes);
void __real_free(void* pointer);
void* __real__Znwm(size_t bytes);
void* __real__Znam(size_t bytes);
void* __real__ZnwmRKSt9nothrow_t(size_t bytes, const std::nothrow_t& tag);
void* __real__ZnamRKSt9nothrow_t(size_t bytes, const std::nothrow_t& tag);
void __real__ZdlPv(void* pointer);
void __real__ZdaPv(void* pointer);
}

#pragma GCC visibility push(hidden)

namespace {

// A thread is not preempted in here.
class OnDevice {
public:
    OnDevice() : yes(leetk::in_kernel() && !leetk::scheduler.busy) {
        if (yes) leetk::scheduler.busy = true;
    }
    ~OnDevice() {
        if (yes) leetk::scheduler.busy = false;
    }
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;

    const bool yes;
};

// Whether the pointer was dealt with.
bool free_on_device(void* pointer, void* caller) {
    if (!pointer) return true;
    const uintptr_t pc = uintptr_t(caller) - 1;
    const OnDevice device;
    if (device.yes) {
        leetk::heap_free(pointer, pc);
        return true;
    }
    if (!leetk::in_heap(pointer)) return false;
    leetk::Fault fault;
    fault.kind = "host_access";
    fault.fatal = true;
    fault.pc = pc;
    leetk::fail(fault, "host code frees memory from malloc or new in a kernel: only a kernel can");
}

}  // namespace

#define LEETK_ALLOCATION(name, ...)                          \
    {                                                        \
        {                                                    \
            const OnDevice device;                           \
            if (device.yes) return leetk::heap_alloc(bytes); \
        }                                                    \
        return __real_##name(__VA_ARGS__);                   \
    }
#define LEETK_DELETION(name) \
    { if (!free_on_device(pointer, __builtin_return_address(0))) __real_##name(pointer); }

extern "C" {
void* __wrap_malloc(size_t bytes) LEETK_ALLOCATION(malloc, bytes)
void* __wrap__Znwm(size_t bytes) LEETK_ALLOCATION(_Znwm, bytes)
void* __wrap__Znam(size_t bytes) LEETK_ALLOCATION(_Znam, bytes)
void* __wrap__ZnwmRKSt9nothrow_t(size_t bytes, const std::nothrow_t& tag)
    LEETK_ALLOCATION(_ZnwmRKSt9nothrow_t, bytes, tag)
void* __wrap__ZnamRKSt9nothrow_t(size_t bytes, const std::nothrow_t& tag)
    LEETK_ALLOCATION(_ZnamRKSt9nothrow_t, bytes, tag)
void __wrap_free(void* pointer) LEETK_DELETION(free)
void __wrap__ZdlPv(void* pointer) LEETK_DELETION(_ZdlPv)
void __wrap__ZdaPv(void* pointer) LEETK_DELETION(_ZdaPv)
void __wrap__ZdlPvm(void* pointer, size_t) LEETK_DELETION(_ZdlPv)
void __wrap__ZdaPvm(void* pointer, size_t) LEETK_DELETION(_ZdaPv)
}
#pragma GCC visibility pop

#endif
