// Streams and events: live handles, and the times at which events were recorded.
#include "api/streams.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "api/internal.h"
#include "leetk/stream_order.h"
#include "leetk/watch.h"

using leetk::leave;

struct CUstream_st {
    CUstream_st* next;
    unsigned flags;
    int priority;
};

struct CUevent_st {
    CUevent_st* next;
    unsigned flags;
    bool recorded;
    timespec when;
    leetk::StreamClock done;  // of all streams' work, when it was recorded
};

namespace {

constexpr unsigned event_flags =
    cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
constexpr int greatest_priority = -5;

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
CUstream_st* all_streams;
CUevent_st* all_events;

struct Locked {
    Locked() { pthread_mutex_lock(&lock); }
    ~Locked() { pthread_mutex_unlock(&lock); }
};

template <class Handle>
void add(Handle*& list, Handle* handle) {
    Locked hold;
    handle->next = list;
    list = handle;
}

template <class Handle>
bool contains(Handle* const& list, const Handle* handle) {
    Locked hold;
    for (Handle* at = list; at; at = at->next)
        if (at == handle) return true;
    return false;
}

template <class Handle>
bool remove(Handle*& list, Handle* handle) {
    Locked hold;
    for (Handle** at = &list; *at; at = &(*at)->next) {
        if (*at != handle) continue;
        *at = handle->next;
        free(handle);
        return true;
    }
    return false;
}

bool is_default(const void* stream) {
    return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

// Where accesses are checked, the first query of what the host has not waited for finds it under way:
// a program that does not look at the answer goes on too early. Who asks again learns that it is done.
bool is_first_query(const void* handle, bool done) {
    static const void* asked;
    const bool first = leetk::checking && !done && asked != handle;
    asked = first ? handle : nullptr;
    return first;
}

bool is_event(const CUevent_st* event) { return event && contains(all_events, event); }

cudaError_t check_stream(cudaStream_t stream) {
    return leetk::is_stream(stream) ? cudaSuccess : leave(cudaErrorInvalidResourceHandle);
}

cudaError_t check_event(cudaEvent_t event) {
    return is_event(event) ? cudaSuccess : leave(cudaErrorInvalidResourceHandle);
}

}  // namespace

namespace leetk {

bool is_stream(const void* stream) {
    return is_default(stream) || contains(all_streams, static_cast<const CUstream_st*>(stream));
}

}  // namespace leetk

extern "C" {

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
    if (!stream || flags & ~unsigned(cudaStreamNonBlocking)) return leave(cudaErrorInvalidValue);
    CUstream_st* made = static_cast<CUstream_st*>(malloc(sizeof(CUstream_st)));
    if (!made) return leave(cudaErrorMemoryAllocation);
    const int low = priority < greatest_priority ? greatest_priority : priority;
    *made = {nullptr, flags, low > 0 ? 0 : low};
    add(all_streams, made);
    leetk::order_new_stream(made, !(flags & cudaStreamNonBlocking));
    *stream = made;
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
    return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    if (is_default(stream) || !remove(all_streams, stream))
        return leave(cudaErrorInvalidResourceHandle);
    leetk::order_stream_gone(stream);
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    leetk::synchronize();
    const cudaError_t error = check_stream(stream);
    if (error == cudaSuccess) leetk::order_host_for_stream(stream);
    return error;
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
    const cudaError_t error = check_stream(stream);
    if (error != cudaSuccess) return error;
    if (is_first_query(stream, leetk::host_has_waited_for_stream(stream))) return cudaErrorNotReady;
    leetk::order_host_for_stream(stream);
    return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int) {
    cudaError_t error = check_stream(stream);
    if (error == cudaSuccess) error = check_event(event);
    if (error == cudaSuccess) leetk::order_wait(stream, event->done);
    return error;
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
    if (!priority) return leave(cudaErrorInvalidValue);
    const cudaError_t error = check_stream(stream);
    if (error == cudaSuccess) *priority = is_default(stream) ? 0 : stream->priority;
    return error;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
    if (!flags) return leave(cudaErrorInvalidValue);
    const cudaError_t error = check_stream(stream);
    if (error == cudaSuccess) *flags = is_default(stream) ? 0 : stream->flags;
    return error;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned int flags) {
    if (!callback || flags) return leave(cudaErrorInvalidValue);
    const cudaError_t error = check_stream(stream);
    if (error != cudaSuccess) return error;
    leetk::set_in_stream_function(true);
    callback(stream, cudaSuccess, data);
    leetk::set_in_stream_function(false);
    return error;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    if (!function) return leave(cudaErrorInvalidValue);
    const cudaError_t error = check_stream(stream);
    if (error != cudaSuccess) return error;
    leetk::set_in_stream_function(true);
    function(data);
    leetk::set_in_stream_function(false);
    return error;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t, unsigned int) {
    if (leetk::place_of(pointer) != leetk::place_managed) return leave(cudaErrorInvalidValue);
    return check_stream(stream);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
    if (!event || flags & ~event_flags) return leave(cudaErrorInvalidValue);
    CUevent_st* made = static_cast<CUevent_st*>(malloc(sizeof(CUevent_st)));
    if (!made) return leave(cudaErrorMemoryAllocation);
    *made = {nullptr, flags, false, {0, 0}, {}};
    add(all_events, made);
    *event = made;
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    if (!event || !remove(all_events, event)) return leave(cudaErrorInvalidResourceHandle);
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    cudaError_t error = check_event(event);
    if (error == cudaSuccess) error = check_stream(stream);
    if (error != cudaSuccess) return error;
    clock_gettime(CLOCK_MONOTONIC, &event->when);
    event->recorded = true;
    leetk::order_record(stream, &event->done);
    return cudaSuccess;
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int) {
    return cudaEventRecord(event, stream);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    const cudaError_t error = check_event(event);
    if (error != cudaSuccess) return error;
    if (is_first_query(event, leetk::host_has_waited_for_event(event->done)))
        return cudaErrorNotReady;
    leetk::order_host_for_event(event->done);
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    leetk::synchronize();
    const cudaError_t error = check_event(event);
    if (error == cudaSuccess) leetk::order_host_for_event(event->done);
    return error;
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    if (!milliseconds) return leave(cudaErrorInvalidValue);
    CUevent_st* const events[] = {start, end};
    for (CUevent_st* event : events) {
        if (!is_event(event) || !event->recorded || event->flags & cudaEventDisableTiming)
            return leave(cudaErrorInvalidResourceHandle);
    }
    const double seconds = double(end->when.tv_sec - start->when.tv_sec);
    const double nanoseconds = double(end->when.tv_nsec - start->when.tv_nsec);
    *milliseconds = float(seconds * 1e3 + nanoseconds * 1e-6);
    return cudaSuccess;
}

}  // extern "C"
