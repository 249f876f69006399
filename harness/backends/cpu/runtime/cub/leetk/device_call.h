// How device-wide algorithms run: as a grid of one thread, so that functors run as in a kernel,
// memory is open and checked as for a kernel, and reports name the algorithm.
#ifndef LEETK_CUB_DEVICE_CALL_H
#define LEETK_CUB_DEVICE_CALL_H
#pragma GCC system_header

#include "cub/leetk/meeting.h"

namespace leetk {

// Runs body() on the device. `arguments` are those of the call from position `position` on: a
// pointer to plain host memory among them is an error, as in a launch.
template <class Body, class... A>
int on_device(const char* name, Here here, void* stream, int position, Body& body,
              const A&... arguments) {
    if (in_kernel()) {
        body();
        return 0;
    }
    PointerArgument pointers[sizeof...(A) + 1];
    PointerArgument* next = pointers;
    (note_pointer(next, position++, arguments), ...);
    Config config{dim3(1), dim3(1)};
    config.stream = stream;
    config.pointers = pointers;
    config.pointer_count = int(next - pointers);
    Site site{here.file, here.line, name};
    return run_grid(site, config, [](void* context) { (*static_cast<Body*>(context))(); }, &body);
}

// A call in CUB's two phases: without temporary storage it only says how much it needs.
struct DeviceCall {
    const char* name;
    Here here;
    cudaStream_t stream;
    void* temp_storage;
    size_t& temp_storage_bytes;

    // `arguments` follow the two for temporary storage. That is overwritten first, as CUB does: it
    // may be too small, or be in use.
    template <class Body, class... A>
    cudaError_t run(size_t needed, Body body, const A&... arguments) const {
        if (!temp_storage) {
            temp_storage_bytes = needed;
            return cudaSuccess;
        }
        if (temp_storage_bytes < needed) {
            report_at(here.file, here.line, "api", false,
                      "%s was given %zu bytes of temporary storage and needs %zu", name,
                      temp_storage_bytes, needed);
            return cudaErrorInvalidValue;
        }
        auto whole = [&] {
            poison(temp_storage, needed);
            body();
        };
        return cudaError_t(on_device(name, here, stream, 3, whole, arguments..., temp_storage));
    }
};

// What an algorithm needs that keeps something for each tile of 2,048 items.
template <class Count>
size_t tile_storage(Count items) {
    return 512 + 16 * ((size_t(items) + 2047) / 2048);
}

}  // namespace leetk

#define LEETK_CUB_DEVICE cudaStream_t stream = nullptr, \
                         ::leetk::Here here = {__builtin_FILE(), __builtin_LINE()}

#endif
