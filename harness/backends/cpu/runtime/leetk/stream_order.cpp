// What orders launches and copies in different streams, and the host (CUDA Programming Guide, "Streams" and "Events"). Here
// all work is done when it is asked for, so that a missing wait shows in no output.
//
// Each stream has a count of its work, and a vector clock (Mattern 1989) of what was done of others'
// when its latest work began; an event holds the clock of the moment when it was recorded, the host
// that of what it has waited for. Work in the legacy default stream comes after all work in blocking
// streams, and theirs after it. With too many streams at a time, and for launches of long ago, all
// passes for ordered; so does a stream's work after that of a destroyed one whose place it has.
#include "leetk/stream_order.h"

#include <string.h>

namespace leetk {
namespace {

constexpr unsigned most_launches = 1024;  // that are remembered
constexpr unsigned legacy = 0, per_thread = 1, first_made = 2;
const void* const legacy_handle = reinterpret_cast<const void*>(1);
const void* const per_thread_handle = reinterpret_cast<const void*>(2);

struct Stream {
    const void* handle;
    bool blocking;
    StreamClock known;  // when its latest work began, that itself included
};
Stream streams[most_streams];
unsigned stream_count = first_made;
bool lost;  // there were more streams at a time than places

StreamClock host;

struct Launch {
    unsigned phase, stream, number;
};
Launch launches[most_launches];
Launch running;
StreamClock running_knows;

unsigned place_of(const void* handle) {
    if (!handle || handle == legacy_handle) return legacy;
    if (handle == per_thread_handle) return per_thread;
    for (unsigned i = first_made; i < stream_count; ++i) {
        if (streams[i].handle == handle) return i;
    }
    return legacy;
}

// For one more stream, most_streams if there is none.
unsigned free_place() {
    for (unsigned i = first_made; i < stream_count; ++i) {
        if (!streams[i].handle) return i;
    }
    return stream_count < most_streams ? stream_count++ : most_streams;
}

void learn(StreamClock& to, const StreamClock& from) {
    for (unsigned i = 0; i < most_streams; ++i) {
        if (from.of[i] > to.of[i]) to.of[i] = from.of[i];
    }
}

bool is_blocking(unsigned stream) { return stream == per_thread || streams[stream].blocking; }

// All that is done when the work so far of a stream is done.
StreamClock done_by(unsigned stream) {
    StreamClock clock = streams[stream].known;
    if (stream != legacy) return clock;
    for (unsigned i = 1; i < stream_count; ++i) {
        if (is_blocking(i)) learn(clock, streams[i].known);
    }
    return clock;
}

unsigned begin_work(const void* handle) {
    const unsigned stream = place_of(handle);
    StreamClock& known = streams[stream].known;
    known = done_by(stream);
    learn(known, host);
    if (stream != legacy && is_blocking(stream)) learn(known, streams[legacy].known);
    ++known.of[stream];
    return stream;
}

void remember(unsigned phase) {
    running.phase = phase;
    launches[phase % most_launches] = running;
}

}  // namespace

void order_new_stream(const void* handle, bool blocking) {
    const unsigned place = free_place();
    if (place == most_streams) {
        lost = true;
        return;
    }
    Stream& made = streams[place];
    const unsigned count = made.known.of[place];
    made.handle = handle;
    made.blocking = blocking;
    made.known = host;
    made.known.of[place] = count;
}

// Its work goes on; who waits for all waits for that, too.
void order_stream_gone(const void* handle) {
    const unsigned place = place_of(handle);
    if (place >= first_made) streams[place].handle = nullptr;
}

void order_work(const void* stream) { begin_work(stream); }

void order_launch_in(const void* stream, unsigned phase) {
    running.stream = begin_work(stream);
    running_knows = streams[running.stream].known;
    running.number = running_knows.of[running.stream];
    remember(phase);
}

void order_next_phase(unsigned phase) { remember(phase); }

void order_record(const void* stream, StreamClock* event) { *event = done_by(place_of(stream)); }

void order_wait(const void* stream, const StreamClock& event) {
    learn(streams[place_of(stream)].known, event);
}

void order_host_for_event(const StreamClock& event) { learn(host, event); }

void order_host_for_stream(const void* stream) { learn(host, done_by(place_of(stream))); }

void order_host_for_all() {
    for (unsigned i = 0; i < stream_count; ++i) learn(host, streams[i].known);
}

bool host_has_waited_for_event(const StreamClock& event) {
    for (unsigned i = 0; i < most_streams; ++i) {
        if (event.of[i] > host.of[i]) return false;
    }
    return true;
}

bool host_has_waited_for_stream(const void* stream) {
    return host_has_waited_for_event(done_by(place_of(stream)));
}

bool host_has_waited_for(unsigned phase) {
    const Launch& launch = launches[phase % most_launches];
    return lost || launch.phase != phase || host.of[launch.stream] >= launch.number;
}

void order_host_for_phase(unsigned phase) {
    const Launch& launch = launches[phase % most_launches];
    if (launch.phase != phase) return;
    unsigned& known = host.of[launch.stream];
    if (launch.number > known) known = launch.number;
}

bool is_done_before(unsigned phase) {
    if (lost) return true;
    const Launch& launch = launches[phase % most_launches];
    if (launch.phase != phase || launch.stream == running.stream) return true;
    return running_knows.of[launch.stream] >= launch.number;
}

}  // namespace leetk
