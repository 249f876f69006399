// How the threads of a block or of a warp work together in CUB's collectives.
//
// Each thread leaves a pointer to a *frame*, a struct on its own stack, and waits for the others.
// All frames stay valid until their thread goes on, so the first thread that does computes for
// all, and writes into their frames: one rendezvous, whatever the collective is. Frames of threads
// that ended before are missing, and what depends on them stays poison.
//
// What a frame can't show is a TempStorage that is used again without a barrier in between, which
// on a device spoils results. So a collective also keeps in the TempStorage what CUB keeps there:
// a thread spoils its part when it comes, the first that goes on fills all parts, and each thread
// takes its results from there. A thread that is late then finds what others have spoiled.
#ifndef LEETK_CUB_MEETING_H
#define LEETK_CUB_MEETING_H
#pragma GCC system_header

#include <new>
#include <type_traits>

#include "cuda_runtime.h"
#include "leetk/scheduler.h"

#pragma GCC visibility push(hidden)

namespace leetk {

// Where a collective stands in the user's source.
struct Here {
    const char* file;
    int line;
};

struct Attendance {
    void* frame;
    unsigned meeting;
};

constexpr int most_attendants = 1024;

// The meetings of the running block. Several blocks may run at a time and then change places, so
// this is kept with each; and a block that begins finds what another one has left.
struct Meetings {
    dim3 block;  // whose they are
    unsigned open_block;                   // the block's meeting; 0 for none
    unsigned open_warps[most_attendants];  // by the first lane of each group
    Attendance block_seats[most_attendants];
    Attendance warp_seats[most_attendants];
};
inline Meetings meetings{};
inline const bool meetings_kept = keep_with_block(&meetings, sizeof meetings);
inline unsigned last_meeting;  // of all blocks

inline Meetings& own_meetings() {
    const dim3& owner = meetings.block;
    if (owner.x != blockIdx.x || owner.y != blockIdx.y || owner.z != blockIdx.z) {
        meetings.block = blockIdx;
        meetings.open_block = 0;
        for (unsigned& open : meetings.open_warps) open = 0;
    }
    return meetings;
}

// Opens a meeting unless it is; its number.
inline unsigned meeting_number(unsigned& open) {
    if (open == 0) {
        if (++last_meeting == 0) ++last_meeting;
        open = last_meeting;
    }
    return open;
}
// Closes the meeting, if nobody has done so yet.
inline bool close_meeting(unsigned& open, unsigned number) {
    if (open != number) return false;
    open = 0;
    return true;
}

// While one lives, no other thread gets a turn unless this one waits for it.
class Uninterrupted {
public:
    Uninterrupted() : before(scheduler.busy) { scheduler.busy = true; }
    ~Uninterrupted() { scheduler.busy = before; }
    Uninterrupted(const Uninterrupted&) = delete;
    Uninterrupted& operator=(const Uninterrupted&) = delete;

private:
    bool before;
};

// One meeting of all threads of the block.
class BlockMeeting {
public:
    // Comes to the meeting as number `place` and waits for the others. The first thread that goes
    // on calls compute().
    template <class Compute>
    void attend(int place, void* frame, Here here, Compute compute) {
        take_seat(place, frame);
        barrier(here.file, here.line);
        Uninterrupted now;
        if (close_meeting(own_meetings().open_block, number)) compute();
    }

    // Null when that thread didn't come.
    template <class Frame>
    Frame* frame(int place) const {
        const Attendance& seat = meetings.block_seats[place];
        return seat.meeting == number ? static_cast<Frame*>(seat.frame) : nullptr;
    }

private:
    unsigned number = 0;

    void take_seat(int place, void* frame) {
        Uninterrupted now;
        Meetings& own = own_meetings();
        number = meeting_number(own.open_block);
        if (place >= 0 && place < most_attendants) own.block_seats[place] = {frame, number};
    }
};

// A barrier after which the results of a first one may be overwritten.
inline void block_barrier(Here here) { barrier(here.file, here.line); }

inline int linear_thread() {
    return int(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}

// What CUB leaves undefined: poison where the type allows it.
template <class T>
void spoil(T& value) {
    if constexpr (std::is_trivially_copyable_v<T> && !std::is_same_v<std::remove_cv_t<T>, bool>) {
        poison(static_cast<void*>(&value), sizeof(T));
    }
}

template <class T>
T spoilt(T value) {
    spoil(value);
    return value;
}

// Room for `count` values in a TempStorage, which has no constructor.
template <class T, int count>
struct Slots {
    alignas(T) unsigned char bytes[sizeof(T) * (count > 0 ? count : 1)];

    T& operator[](int index) {
        overlook_all();
        return reinterpret_cast<T*>(bytes)[index];
    }
    void put(int index, const T& value) {
        overlook_all();
        new (static_cast<void*>(bytes + sizeof(T) * size_t(index))) T(value);
    }
    void spoil_one(int index) { spoil((*this)[index]); }

private:
    void overlook_all() {
        if (__builtin_expect(watching, 0)) overlook(bytes, sizeof bytes);
    }
};

}  // namespace leetk

#pragma GCC visibility pop

#endif
