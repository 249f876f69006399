// Waiting for copies (pipeline.h): they are made here, in the solution's own code, where each is
// watched like any other access.
#ifndef LEETK_PIPELINE_WAIT_H
#define LEETK_PIPELINE_WAIT_H
#pragma GCC system_header

#include "leetk/pipeline.h"
#include "vector_types.h"

namespace leetk {

template <class T>
inline void copy_as(const AsyncCopy& copy) {
    *static_cast<T*>(copy.to) = copy.zeros ? T() : *static_cast<const T*>(copy.from);
}

inline void make_copy(const AsyncCopy& copy) {
    const bool whole = copy.zeros == 0 || copy.zeros == copy.bytes;
    if (whole && copy.bytes == 2) return copy_as<unsigned short>(copy);
    if (whole && copy.bytes == 4) return copy_as<unsigned>(copy);
    if (whole && copy.bytes == 8) return copy_as<uint2>(copy);
    if (whole && copy.bytes == 16) return copy_as<uint4>(copy);
    char* const to = static_cast<char*>(copy.to);
    const char* const from = static_cast<const char*>(copy.from);
    for (unsigned i = 0; i < copy.bytes; ++i) {
        to[i] = i < copy.bytes - copy.zeros ? from[i] : 0;
    }
}

// Makes all copies of the running thread but those of its `left` last batches.
inline void wait_for_copies(size_t left) {
    AsyncCopy copy;
    while (due_copy(left, &copy)) make_copy(copy);
}

}  // namespace leetk

#endif
