// A meeting of the lanes of a (logical) warp: as BlockMeeting.
//
// Nothing of it lies in the TempStorage, as with CUB, which shuffles registers. So one TempStorage
// for several warps, or one used again at once, does no harm here either.
#ifndef LEETK_CUB_WARP_MEETING_H
#define LEETK_CUB_WARP_MEETING_H
#pragma GCC system_header

#include "cub/leetk/meeting.h"

namespace leetk {

// Groups of `width` neighbouring lanes, counted from the warp's first.
template <int width>
class WarpMeeting {
public:
    WarpMeeting() {
        int rank = linear_thread();
        int warp_lane = rank % 32;
        int lanes_before = warp_lane / width * width;
        first = rank - warp_lane + lanes_before;
        lane = warp_lane - lanes_before;
        lanes = 32 - lanes_before < width ? 32 - lanes_before : width;
        if (leetk_block_threads - first < lanes) lanes = leetk_block_threads - first;
        unsigned all = lanes == 32 ? ~0u : (1u << lanes) - 1;
        mask = all << lanes_before;
    }

    // Waits for the group's other lanes. The first lane that goes on calls compute().
    template <class Compute>
    void attend(void* frame, Here here, Compute compute) {
        take_seat(frame);
        __syncwarp(mask, here.file, here.line);
        Uninterrupted now;
        if (close_meeting(own_meetings().open_warps[first], number)) compute();
    }
    void wait(Here here) { __syncwarp(mask, here.file, here.line); }

    // Null when that lane didn't come.
    template <class Frame>
    Frame* frame(int other) const {
        if (other >= lanes) return nullptr;
        const Attendance& seat = meetings.warp_seats[first + other];
        return seat.meeting == number ? static_cast<Frame*>(seat.frame) : nullptr;
    }

    int lane;   // of this thread in its group
    int lanes;  // of the group that the block has
    unsigned mask;

private:
    int first;  // the group's first thread in the block
    unsigned number = 0;

    void take_seat(void* frame) {
        Uninterrupted now;
        Meetings& own = own_meetings();
        number = meeting_number(own.open_warps[first]);
        own.warp_seats[first + lane] = {frame, number};
    }
};

}  // namespace leetk

#endif
