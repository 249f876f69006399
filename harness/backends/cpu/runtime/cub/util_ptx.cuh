// Lanes, warps and shuffles, as CUB names them.
#ifndef LEETK_CUB_UTIL_PTX_CUH
#define LEETK_CUB_UTIL_PTX_CUH
#pragma GCC system_header

#include "cub/leetk/block.h"
#include "cub/leetk/warp_meeting.h"

namespace cub {

inline unsigned int LaneId() { return unsigned(leetk::linear_thread()) % 32; }
inline unsigned int WarpId() { return unsigned(leetk::linear_thread()) / 32; }
inline void CTA_SYNC(LEETK_CUB_HERE) { leetk::block_barrier(here); }
inline void WARP_SYNC(unsigned int member_mask, LEETK_CUB_HERE) {
    __syncwarp(member_mask, here.file, here.line);
}

template <int LOGICAL_WARP_THREADS>
inline unsigned int WarpMask(unsigned int warp_id) {
    unsigned all = LOGICAL_WARP_THREADS == 32 ? ~0u : (1u << LOGICAL_WARP_THREADS % 32) - 1;
    return all << warp_id * LOGICAL_WARP_THREADS % 32;
}

inline unsigned int BFE(unsigned long long source, unsigned int bit_start, unsigned int num_bits) {
    return unsigned(source >> bit_start & ((1ull << num_bits) - 1));
}

inline unsigned int LaneMaskLt() { return (1u << LaneId()) - 1; }
inline unsigned int LaneMaskLe() { return LaneMaskLt() | 1u << LaneId(); }
inline unsigned int LaneMaskGt() { return ~LaneMaskLe(); }
inline unsigned int LaneMaskGe() { return ~LaneMaskLt(); }

namespace detail {
// The input of lane source(lane); the own one where that lies outside [first, last].
template <int LOGICAL_WARP_THREADS, class T>
T shuffled(const T& input, int source, int first, int last, leetk::Here here) {
    struct Frame {
        const T* input;
        T result;
        int source;
    };
    Frame frame{&input, input, source < first || source > last ? -1 : source};
    leetk::WarpMeeting<LOGICAL_WARP_THREADS> meeting;
    meeting.attend(&frame, here, [&] {
        for (int lane = 0; lane < meeting.lanes; ++lane) {
            Frame* to = meeting.template frame<Frame>(lane);
            if (!to || to->source < 0) continue;
            Frame* from = meeting.template frame<Frame>(to->source);
            if (from) {
                to->result = *from->input;
            } else {
                leetk::spoil(to->result);
            }
        }
    });
    return frame.result;
}
}  // namespace detail

template <int LOGICAL_WARP_THREADS, class T>
T ShuffleUp(T input, int src_offset, int first_thread, unsigned int, LEETK_CUB_HERE) {
    int lane = int(LaneId()) % LOGICAL_WARP_THREADS;
    return detail::shuffled<LOGICAL_WARP_THREADS>(input, lane - src_offset, first_thread, lane,
                                                  here);
}
template <int LOGICAL_WARP_THREADS, class T>
T ShuffleDown(T input, int src_offset, int last_thread, unsigned int, LEETK_CUB_HERE) {
    int lane = int(LaneId()) % LOGICAL_WARP_THREADS;
    return detail::shuffled<LOGICAL_WARP_THREADS>(input, lane + src_offset, lane, last_thread,
                                                  here);
}
template <int LOGICAL_WARP_THREADS, class T>
T ShuffleIndex(T input, int src_lane, unsigned int, LEETK_CUB_HERE) {
    return detail::shuffled<LOGICAL_WARP_THREADS>(input, src_lane, 0, LOGICAL_WARP_THREADS - 1,
                                                  here);
}

}  // namespace cub

#endif
