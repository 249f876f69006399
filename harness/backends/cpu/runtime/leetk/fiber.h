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

// Stacks of block threads, numbered from 0 and used over and over. take_stack returns -1 when the
// system has no memory left.
constexpr size_t stack_bytes = 256 * 1024;
constexpr size_t stack_guard = 64 * 1024;
int take_stack();
void drop_stack(int stack);
char* stack_top(int stack);
bool in_stack_guard(const void* address);
void trim_stacks();  // with all of them dropped: gives back what only very many threads need

}  // namespace leetk

#pragma GCC visibility pop

#endif
