// Asynchronous copies into shared memory by one thread: __pipeline_memcpy_async and its kin.
// __pipeline_arrive_on and cuda::pipeline are not here.
#ifndef LEETK_CUDA_PIPELINE_PRIMITIVES_H
#define LEETK_CUDA_PIPELINE_PRIMITIVES_H
#pragma GCC system_header

#include "cuda_runtime.h"
#include "leetk/pipeline_wait.h"

// Copies 4, 8 or 16 bytes, from and to multiples of as many; the last `zeros` of them become 0.
inline void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0,
                                    const char* file = __builtin_FILE(),
                                    int line = __builtin_LINE()) {
    const bool legal = (bytes == 4 || bytes == 8 || bytes == 16) && zeros <= bytes;
    if (__builtin_expect(!legal, 0)) leetk::wrong_size(bytes, zeros, file, line);
    leetk::start_copy({to, from, unsigned(bytes), unsigned(zeros)});
}

inline void __pipeline_commit() { leetk::end_batch(); }

// Waits for all batches of this thread but the `left` last. Another thread sees them behind a
// barrier only.
inline void __pipeline_wait_prior(size_t left) {
    leetk::wait_for_copies(left);
}

#endif
