// What the runtime API's own .cpp files share. Not for solutions.
#ifndef LEETK_API_INTERNAL_H
#define LEETK_API_INTERNAL_H

#include "api/driver_types.h"
#include "leetk/core.h"

#pragma GCC visibility push(hidden)

namespace leetk {

// Leaves the code for cudaGetLastError (unless it is a success) and returns it.
inline cudaError_t leave(int code, const char* call = __builtin_FUNCTION()) {
    return (cudaError_t)set_error(code, call);
}

// Where an address lies, as the unified address space of a GPU tells it. Memory that the runtime
// doesn't know is the host's, pageable.
enum Place { place_pageable, place_pinned, place_device, place_managed };
Place place_of(const void* pointer);

// Whether [pointer, pointer + bytes) stays within the allocation or symbol that it begins in.
bool in_bounds(const void* pointer, size_t bytes);

bool is_stream(const void* stream);

}  // namespace leetk

#pragma GCC visibility pop

#endif
