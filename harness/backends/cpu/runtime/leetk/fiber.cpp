// The switch between two threads of a block.
//
// Written by hand for x86-64 and aarch64: the callee-saved registers go on the old stack, the stack
// pointer is exchanged, and they come from the new one. The floating-point control words are left
// alone: kernels have no way to change them. Elsewhere ucontext does it, some thirty times slower
// because it makes a system call for the signal mask.
//
// The return at the end of leetk_switch is predicted well: the barrier's code jumps to it as its
// last act, so that it returns to where the barrier was called, which is the same place in all
// threads that meet at one barrier.
#include "leetk/fiber.h"

#if defined(__APPLE__)
#define LEETK_SYMBOL "_leetk_switch"
#define LEETK_SECTION ".text\n"
#define LEETK_TYPE
#define LEETK_SIZE
#else
#define LEETK_SYMBOL "leetk_switch"
#define LEETK_SECTION ".section leetk_scheduling,\"ax\",%progbits\n"
#define LEETK_TYPE ".hidden leetk_switch\n.type leetk_switch, %function\n"
#define LEETK_SIZE ".size leetk_switch, . - leetk_switch\n.text\n"
#endif

#if defined(__x86_64__)

__asm__(
    LEETK_SECTION
    ".globl " LEETK_SYMBOL "\n" LEETK_TYPE
    ".p2align 4\n" LEETK_SYMBOL ":\n"
    "    pushq %rbp\n"
    "    pushq %rbx\n"
    "    pushq %r12\n"
    "    pushq %r13\n"
    "    pushq %r14\n"
    "    pushq %r15\n"
    "    movq %rsp, (%rdi)\n"
    "    movq %rsi, %rsp\n"
    "    popq %r15\n"
    "    popq %r14\n"
    "    popq %r13\n"
    "    popq %r12\n"
    "    popq %rbx\n"
    "    popq %rbp\n"
    "    ret\n" LEETK_SIZE);

namespace leetk {

void* make_context(char* top, void (*entry)()) {
    // From below: r15 r14 r13 r12 rbx rbp, entry, and a return address of 0 that ends back traces.
    void** frame = reinterpret_cast<void**>(top) - 8;
    for (int i = 0; i < 8; ++i) frame[i] = nullptr;
    frame[6] = reinterpret_cast<void*>(entry);
    return frame;
}

}  // namespace leetk

#elif defined(__aarch64__)

__asm__(
    LEETK_SECTION
    ".globl " LEETK_SYMBOL "\n" LEETK_TYPE
    ".p2align 4\n" LEETK_SYMBOL ":\n"
    "    sub sp, sp, #160\n"
    "    stp x19, x20, [sp]\n"
    "    stp x21, x22, [sp, #16]\n"
    "    stp x23, x24, [sp, #32]\n"
    "    stp x25, x26, [sp, #48]\n"
    "    stp x27, x28, [sp, #64]\n"
    "    stp x29, x30, [sp, #80]\n"
    "    stp d8, d9, [sp, #96]\n"
    "    stp d10, d11, [sp, #112]\n"
    "    stp d12, d13, [sp, #128]\n"
    "    stp d14, d15, [sp, #144]\n"
    "    mov x9, sp\n"
    "    str x9, [x0]\n"
    "    mov sp, x1\n"
    "    ldp x19, x20, [sp]\n"
    "    ldp x21, x22, [sp, #16]\n"
    "    ldp x23, x24, [sp, #32]\n"
    "    ldp x25, x26, [sp, #48]\n"
    "    ldp x27, x28, [sp, #64]\n"
    "    ldp x29, x30, [sp, #80]\n"
    "    ldp d8, d9, [sp, #96]\n"
    "    ldp d10, d11, [sp, #112]\n"
    "    ldp d12, d13, [sp, #128]\n"
    "    ldp d14, d15, [sp, #144]\n"
    "    add sp, sp, #160\n"
    "    ret\n" LEETK_SIZE);

namespace leetk {

void* make_context(char* top, void (*entry)()) {
    void** frame = reinterpret_cast<void**>(top) - 20;
    for (int i = 0; i < 20; ++i) frame[i] = nullptr;
    frame[11] = reinterpret_cast<void*>(entry);  // x30, the link register
    return frame;
}

}  // namespace leetk

#else

#include <ucontext.h>

extern "C" void leetk_switch(void** from, void* to) {
    ucontext_t here;
    *from = &here;
    swapcontext(&here, static_cast<ucontext_t*>(to));
}

namespace leetk {

void* make_context(char* top, void (*entry)()) {
    size_t room = (sizeof(ucontext_t) + 63) / 64 * 64;
    ucontext_t* made = reinterpret_cast<ucontext_t*>(top - room);
    getcontext(made);
    made->uc_stack.ss_sp = top - (stack_bytes - 8192);
    made->uc_stack.ss_size = stack_bytes - 8192 - room;
    made->uc_link = nullptr;
    makecontext(made, entry, 0);
    return made;
}

}  // namespace leetk

#endif
