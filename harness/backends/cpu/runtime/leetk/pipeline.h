// Copies that a thread starts and waits for later: what cuda_pipeline.h and cooperative groups'
// memcpy_async build on.
//
// A copy is made when its thread waits for it, the last moment that CUDA allows, so that whoever
// reads too early finds what was there before (pipeline_wait.h).
#ifndef LEETK_PIPELINE_H
#define LEETK_PIPELINE_H
#pragma GCC system_header

#include <stddef.h>

#pragma GCC visibility push(hidden)

namespace leetk {

// `zeros` of the `bytes` are not read but stored as 0; these are the last.
struct AsyncCopy {
    void* to;
    const void* from;
    unsigned bytes, zeros;
};

// Reports a copy of a size that CUDA does not have.
[[noreturn]] void wrong_size(size_t bytes, size_t zeros, const char* file, int line);
void start_copy(const AsyncCopy& copy);
// Whether a device copies from one to the other asynchronously: into shared memory from elsewhere.
bool is_async(const void* to, const void* from);
// Ends the running thread's batch: the copies that it has started since the last one.
void end_batch();
// The next copy of all batches but the `left` last ended ones; false when they are done.
bool due_copy(size_t left, AsyncCopy* copy);

}  // namespace leetk

#pragma GCC visibility pop

#endif
