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

    // Waits for the group's other lanes. True in the first lane that goes on.
    bool attend(void* frame, Here here) {
        Meetings& own = own_meetings();
        number = meeting_number(own.open_warps[first]);
        own.warp_seats[first + lane] = {frame, number};
        __syncwarp(mask, here.file, here.line);
        return close_meeting(own.open_warps[first], number);
    }
    void wait(Here here) { attend(nullptr, here); }

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
};

}  // namespace leetk

#endif
