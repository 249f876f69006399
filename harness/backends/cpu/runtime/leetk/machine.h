// What a signal handler reads of the interrupted thread.
#ifndef LEETK_MACHINE_H
#define LEETK_MACHINE_H

#include <stdint.h>
#include <ucontext.h>

namespace leetk {

#if defined(__x86_64__) && defined(__linux__)
static inline uintptr_t pc_of(const ucontext_t* c) {
    return uintptr_t(c->uc_mcontext.gregs[REG_RIP]);
}
static inline uintptr_t sp_of(const ucontext_t* c) {
    return uintptr_t(c->uc_mcontext.gregs[REG_RSP]);
}
#elif defined(__aarch64__) && defined(__linux__)
static inline uintptr_t pc_of(const ucontext_t* c) { return c->uc_mcontext.pc; }
static inline uintptr_t sp_of(const ucontext_t* c) { return c->uc_mcontext.sp; }
#else
static inline uintptr_t pc_of(const ucontext_t*) { return 0; }
static inline uintptr_t sp_of(const ucontext_t*) { return 0; }
#endif

}  // namespace leetk

#endif
