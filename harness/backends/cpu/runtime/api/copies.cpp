// Copies, memsets, and the symbols that they reach.
//
// The rules are those of an H200 with CUDA 13.0 (tests/runtime/api_rules.txt): the kind of a copy
// says which of its two sides has to be reachable from the device; pageable host memory isn't.
// Nothing is asked of the other side. cudaMemcpyDefault and cudaMemcpyHostToHost ask nothing. A
// range may not leave the allocation that it begins in. Copying nothing is always right.
//
// So a copy within device memory whose kind names the host works there, though CUDA leaves undefined
// what it does: it is told, once for each place.
#include <stdio.h>
#include <string.h>

#include "api/internal.h"
#include "api/memory.h"
#include "api/symbols.h"
#include "leetk/runtime.h"
#include "leetk/stream_order.h"
#include "leetk/watch.h"

using leetk::leave;

// The section of __managed__ variables (api/qualifiers.h); absent without any.
extern "C" __attribute__((weak, visibility("hidden"))) const char __start_leetk_managed[];
extern "C" __attribute__((weak, visibility("hidden"))) const char __stop_leetk_managed[];

namespace {

// __device__ variables whose address host code has asked for. Others are known by name alone, so
// that a pointer to one can't come from the host.
struct Symbol {
    const char* begin;
    size_t bytes;
};
constexpr int most_symbols = 1024;
Symbol symbols[most_symbols];
int symbol_count;

const Symbol* symbol_of(const void* pointer) {
    const char* at = static_cast<const char*>(pointer);
    const int count = __atomic_load_n(&symbol_count, __ATOMIC_ACQUIRE);
    for (int i = 0; i < count; ++i)
        if (at >= symbols[i].begin && at < symbols[i].begin + symbols[i].bytes) return &symbols[i];
    return nullptr;
}

bool is_managed_variable(const void* pointer) {
    const char* at = static_cast<const char*>(pointer);
    return __start_leetk_managed && at >= __start_leetk_managed && at < __stop_leetk_managed;
}

bool is_pageable(const void* pointer) { return leetk::place_of(pointer) == leetk::place_pageable; }

bool is_host(leetk::Place place) {
    return place == leetk::place_pageable || place == leetk::place_pinned;
}

cudaError_t check_kind(const void* to, const void* from, int kind) {
    if (leetk::is_forked()) return cudaErrorInitializationError;
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if ((to_device && is_pageable(to)) || (from_device && is_pageable(from)))
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

constexpr int most_told = 64;
uintptr_t told[most_told];
int told_count;

bool is_told(uintptr_t caller) {
    for (int i = 0; i < told_count; ++i)
        if (told[i] == caller) return true;
    if (told_count < most_told) told[told_count++] = caller;
    return false;
}

const char* name_of(int kind) {
    return kind == cudaMemcpyHostToHost     ? "cudaMemcpyHostToHost"
           : kind == cudaMemcpyHostToDevice ? "cudaMemcpyHostToDevice"
                                            : "cudaMemcpyDeviceToHost";
}

// `caller`: the return address of the function that was called.
void note_kind(const void* to, const void* from, int kind, const void* caller) {
    const bool to_host = kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost;
    const bool from_host = kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice;
    const bool bad_to = to_host && leetk::place_of(to) == leetk::place_device;
    const bool bad_from = from_host && leetk::place_of(from) == leetk::place_device;
    if (!bad_to && !bad_from) return;
    leetk::Fault fault;
    fault.kind = "copy_kind";
    fault.pc = uintptr_t(caller) - 1;
    if (is_told(fault.pc)) return;
    char text[256];
    snprintf(text, sizeof text,
             "a copy %s device memory is called %s: CUDA leaves undefined what a copy of the wrong "
             "kind does",
             bad_to && bad_from ? "within" : bad_to ? "to" : "from", name_of(kind));
    leetk::write_report(fault, text);
}

// Both ranges have been checked as far as the runtime knows them; the host's own pointers may still
// be bad, and then the fault is the caller's.
LEETK_RUNTIME_CODE void move(void* to, const void* from, size_t bytes) {
    leetk::DeviceAccess access;
    memmove(to, from, bytes);
    if (!leetk::has_tables()) return;
    const leetk::Place of_to = leetk::place_of(to), of_from = leetk::place_of(from);
    const bool to_device = of_to == leetk::place_device && is_host(of_from);
    const bool to_host = is_host(of_to) && of_from == leetk::place_device;
    if (to_device || to_host) leetk::exchange_tables(to, bytes, to_device);
}

LEETK_RUNTIME_CODE void fill(void* to, int value, size_t bytes) {
    leetk::DeviceAccess access;
    memset(to, value, bytes);
}

// Where a call stands: its stream, and the return address of the function that was called.
struct Site {
    cudaStream_t stream;
    const void* caller;
};

void order(void* to, const void* from, size_t bytes, const Site& site) {
    leetk::check_copy_begin(site.stream);
    leetk::check_copy(to, from, bytes, uintptr_t(site.caller) - 1);
}

cudaError_t copy(void* to, const void* from, size_t bytes, int kind, const Site& site) {
    if (bytes == 0) return cudaSuccess;
    if (!to || !from) return leave(cudaErrorInvalidValue);
    const cudaError_t error = check_kind(to, from, kind);
    if (error != cudaSuccess) return leave(error);
    if (!leetk::in_bounds(to, bytes) || !leetk::in_bounds(from, bytes))
        return leave(cudaErrorInvalidValue);
    note_kind(to, from, kind, site.caller);
    order(to, from, bytes, site);
    move(to, from, bytes);
    return cudaSuccess;
}

cudaError_t set(void* to, int value, size_t bytes, const Site& site) {
    if (leetk::is_forked()) return leave(cudaErrorInitializationError);
    if (bytes == 0) return cudaSuccess;
    if (!to || is_pageable(to) || !leetk::in_bounds(to, bytes)) return leave(cudaErrorInvalidValue);
    order(to, nullptr, bytes, site);
    fill(to, value, bytes);
    return cudaSuccess;
}

// The bytes from the first to the last of `height` rows.
bool span(size_t pitch, size_t width, size_t height, size_t* bytes) {
    return !__builtin_mul_overflow(pitch, height - 1, bytes) &&
           !__builtin_add_overflow(*bytes, width, bytes);
}

bool stream_is_bad(cudaStream_t stream) { return !leetk::is_stream(stream); }

// Copies and memsets that name no stream. For a copy the host waits.
cudaError_t in_turn(cudaError_t error) {
    leetk::order_host_for_stream(nullptr);
    return error;
}

// Those of pageable memory are waited for, too.
cudaError_t in_stream(cudaStream_t stream, const void* to, cudaError_t error) {
    if (is_pageable(to)) leetk::order_host_for_stream(stream);
    return error;
}

cudaError_t copy_rows(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                      size_t height, cudaMemcpyKind kind, const Site& site) {
    if (width > to_pitch || width > from_pitch) return leave(cudaErrorInvalidPitchValue);
    if (width == 0 || height == 0) return cudaSuccess;
    if (!to || !from) return leave(cudaErrorInvalidValue);
    const cudaError_t error = check_kind(to, from, kind);
    if (error != cudaSuccess) return leave(error);
    size_t to_bytes = 0, from_bytes = 0;
    if (!span(to_pitch, width, height, &to_bytes) || !span(from_pitch, width, height, &from_bytes))
        return leave(cudaErrorInvalidValue);
    if (!leetk::in_bounds(to, to_bytes) || !leetk::in_bounds(from, from_bytes))
        return leave(cudaErrorInvalidValue);
    note_kind(to, from, kind, site.caller);
    leetk::DeviceAccess access;
    leetk::check_copy_begin(site.stream);
    for (size_t row = 0; row < height; ++row) {
        char* const to_row = static_cast<char*>(to) + row * to_pitch;
        const char* const from_row = static_cast<const char*>(from) + row * from_pitch;
        leetk::check_copy(to_row, from_row, width, uintptr_t(site.caller) - 1);
        move(to_row, from_row, width);
    }
    return cudaSuccess;
}

cudaError_t set_rows(void* to, size_t pitch, int value, size_t width, size_t height,
                     const Site& site) {
    if (width == 0 || height == 0) return cudaSuccess;
    size_t bytes = 0;
    if (!to || is_pageable(to) || width > pitch || !span(pitch, width, height, &bytes) ||
        !leetk::in_bounds(to, bytes))
        return leave(cudaErrorInvalidValue);
    leetk::DeviceAccess access;
    leetk::check_copy_begin(site.stream);
    for (size_t row = 0; row < height; ++row) {
        char* const to_row = static_cast<char*>(to) + row * pitch;
        leetk::check_copy(to_row, nullptr, width, uintptr_t(site.caller) - 1);
        fill(to_row, value, width);
    }
    return cudaSuccess;
}

}  // namespace

namespace leetk {

Place place_of(const void* pointer) {
    Region region;
    if (find_region(pointer, &region)) {
        if (region.kind == region_pinned) return place_pinned;
        return region.kind == region_managed ? place_managed : place_device;
    }
    if (is_managed_variable(pointer)) return place_managed;
    return symbol_of(pointer) ? place_device : place_pageable;
}

bool is_symbol(const void* pointer) { return symbol_of(pointer) || is_managed_variable(pointer); }

bool in_bounds(const void* pointer, size_t bytes) {
    Region region;
    if (!in_one_region(pointer, bytes, &region)) return false;
    const Symbol* symbol = symbol_of(pointer);
    return !symbol ||
           bytes <= size_t(symbol->begin + symbol->bytes - static_cast<const char*>(pointer));
}

cudaError_t symbol_address(void** pointer, const void* symbol, size_t size) {
    if (!pointer) return leave(cudaErrorInvalidValue);
    ensure_open();
    if (!in_library(symbol)) return leave(cudaErrorInvalidSymbol);
    *pointer = const_cast<void*>(symbol);
    if (symbol_of(symbol)) return cudaSuccess;
    const int slot = __atomic_load_n(&symbol_count, __ATOMIC_RELAXED);
    if (slot == most_symbols) return leave(cudaErrorMemoryAllocation);
    symbols[slot] = {static_cast<const char*>(symbol), size};
    __atomic_store_n(&symbol_count, slot + 1, __ATOMIC_RELEASE);
    return cudaSuccess;
}

cudaError_t symbol_size(size_t* bytes, size_t size) {
    if (!bytes) return leave(cudaErrorInvalidValue);
    *bytes = size;
    return cudaSuccess;
}

cudaError_t copy_to_symbol(const void* symbol, size_t size, const void* from, size_t bytes,
                           size_t offset, cudaMemcpyKind kind) {
    void* to = nullptr;
    const cudaError_t error = symbol_address(&to, symbol, size);
    if (error != cudaSuccess) return error;
    if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost)
        return leave(cudaErrorInvalidMemcpyDirection);
    if (offset > size || bytes > size - offset) return leave(cudaErrorInvalidValue);
    return in_turn(copy(static_cast<char*>(to) + offset, from, bytes, kind,
                        {nullptr, __builtin_return_address(0)}));
}

cudaError_t copy_from_symbol(void* to, const void* symbol, size_t size, size_t bytes, size_t offset,
                             cudaMemcpyKind kind) {
    void* from = nullptr;
    const cudaError_t error = symbol_address(&from, symbol, size);
    if (error != cudaSuccess) return error;
    if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost)
        return leave(cudaErrorInvalidMemcpyDirection);
    if (offset > size || bytes > size - offset) return leave(cudaErrorInvalidValue);
    return in_turn(copy(to, static_cast<const char*>(from) + offset, bytes, kind,
                        {nullptr, __builtin_return_address(0)}));
}

}  // namespace leetk

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return in_turn(copy(to, from, bytes, kind, {nullptr, __builtin_return_address(0)}));
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    if (stream_is_bad(stream)) return leave(cudaErrorInvalidResourceHandle);
    const Site site{stream, __builtin_return_address(0)};
    return in_stream(stream, to, copy(to, from, bytes, kind, site));
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
    const Site site{nullptr, __builtin_return_address(0)};
    return in_turn(copy_rows(to, to_pitch, from, from_pitch, width, height, kind, site));
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
    if (stream_is_bad(stream)) return leave(cudaErrorInvalidResourceHandle);
    const Site site{stream, __builtin_return_address(0)};
    return in_stream(stream, to,
                     copy_rows(to, to_pitch, from, from_pitch, width, height, kind, site));
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           size_t bytes) {
    if (to_device != 0 || from_device != 0) return leave(cudaErrorInvalidDevice);
    const Site site{nullptr, __builtin_return_address(0)};
    return in_turn(copy(to, from, bytes, cudaMemcpyDeviceToDevice, site));
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                size_t bytes, cudaStream_t stream) {
    if (stream_is_bad(stream)) return leave(cudaErrorInvalidResourceHandle);
    if (to_device != 0 || from_device != 0) return leave(cudaErrorInvalidDevice);
    const Site site{stream, __builtin_return_address(0)};
    return in_stream(stream, to, copy(to, from, bytes, cudaMemcpyDeviceToDevice, site));
}

cudaError_t cudaMemset(void* to, int value, size_t bytes) {
    return in_turn(set(to, value, bytes, {nullptr, __builtin_return_address(0)}));
}

cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
    if (stream_is_bad(stream)) return leave(cudaErrorInvalidResourceHandle);
    return in_stream(stream, to, set(to, value, bytes, {stream, __builtin_return_address(0)}));
}

cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
    return in_turn(set_rows(to, pitch, value, width, height, {nullptr, __builtin_return_address(0)}));
}

cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
    if (stream_is_bad(stream)) return leave(cudaErrorInvalidResourceHandle);
    const Site site{stream, __builtin_return_address(0)};
    return in_stream(stream, to, set_rows(to, pitch, value, width, height, site));
}

}  // extern "C"
