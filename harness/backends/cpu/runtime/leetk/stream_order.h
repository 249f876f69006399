// Which launches are ordered before the running one, by streams, events and the host's waiting: see
// stream_order.cpp.
#ifndef LEETK_STREAM_ORDER_H
#define LEETK_STREAM_ORDER_H
#pragma GCC system_header

#include <stddef.h>

namespace leetk {

constexpr unsigned most_streams = 32;

// How much of each stream's work is known to be done.
struct StreamClock {
    unsigned of[most_streams];
};

}  // namespace leetk

#pragma GCC visibility push(hidden)

namespace leetk {

// A stream, `handle`, that launches may name from now on.
void order_new_stream(const void* handle, bool blocking);
void order_stream_gone(const void* handle);
// A launch, a copy or a memset in a stream. Where accesses are checked: in this phase (order.h).
void order_work(const void* stream);
void order_launch_in(const void* stream, unsigned phase);
// The running launch goes on in another phase.
void order_next_phase(unsigned phase);
void order_record(const void* stream, StreamClock* event);
void order_wait(const void* stream, const StreamClock& event);
// The host has waited.
void order_host_for_event(const StreamClock& event);
void order_host_for_stream(const void* stream);
void order_host_for_all();

// Whether the launch or copy of that phase was done when the running one began.
bool is_done_before(unsigned phase);
// Whether the host has waited for all of a stream's or an event's work.
bool host_has_waited_for_stream(const void* stream);
bool host_has_waited_for_event(const StreamClock& event);
// Whether the host has waited for it; it has seen word of it.
bool host_has_waited_for(unsigned phase);
void order_host_for_phase(unsigned phase);

}  // namespace leetk

#pragma GCC visibility pop

#endif
