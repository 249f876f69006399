// Contexts of execution: what a thread of a block runs in, once it has had to wait.
#ifndef LEETK_FIBER_H
#define LEETK_FIBER_H

#include <stddef.h>

#pragma GCC visibility push(hidden)

// Leaves the caller suspended with its context in *from, and goes on in the context `to`. Returns
// when somebody switches back. Only what a C function must preserve is kept.
extern "C" void leetk_switch(void** from, void* to);

namespace leetk {

// A context that begins in `entry` (which never returns) on the stack that ends at `top`, which is
// 64-byte aligned.
void* make_context(char* top, void (*entry)());

// What lies on a stack below its suspended context and has to be kept.
#if defined(__x86_64__) || defined(__aarch64__)
constexpr size_t below_context = 0;
#else
constexpr size_t below_context = 4096;
#endif

// Stacks of block threads: `stack_bytes` each, guard below. Numbered from 0, used over and over;
// `most_stacks` can be out at once. take_stack returns -1 when the system has no memory left.
constexpr size_t stack_bytes = 256 * 1024;
constexpr size_t stack_guard = 68 * 1024;
constexpr int most_stacks = 1026;  // a block's threads, one that starts, residency.cpp's
int take_stack();
void drop_stack(int stack);
void drop_all_stacks();
void take_stacks(const bool* wanted);  // by number; they have been dropped
char* stack_top(int stack);
// A stack is open at its top at first. What lies below is opened when it is touched (signals.cpp):
// the nearest `step_of_stack` bytes, or all of it.
constexpr size_t step_of_stack = 16 * 1024;
bool in_closed_stack(const void* address);
void open_stack(const void* address, bool all);
// cudaLimitStackSize: what a device's thread has for functions that call themselves.
size_t stack_limit();
void set_stack_limit(size_t bytes);
bool in_stacks(const void* address);  // or in a guard
bool in_stack_guard(const void* address);

}  // namespace leetk

#pragma GCC visibility pop

#endif
