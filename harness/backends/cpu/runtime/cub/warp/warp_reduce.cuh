// cub::WarpReduce. The result is lane 0's, of each (logical) warp; the others get poison.
#ifndef LEETK_CUB_WARP_REDUCE_CUH
#define LEETK_CUB_WARP_REDUCE_CUH
#pragma GCC system_header

#include "cub/leetk/block.h"
#include "cub/leetk/warp_meeting.h"
#include "cub/thread/thread_reduce.cuh"

namespace cub {

template <class T, int LOGICAL_WARP_THREADS = 32, int LEGACY_PTX_ARCH = 0>
class WarpReduce {
    static_assert(LOGICAL_WARP_THREADS >= 1 && LOGICAL_WARP_THREADS <= 32);

    struct Frame {
        const T* input;
        bool flag;
        T total;
    };

public:
    struct TempStorage {};

    WarpReduce(TempStorage&, LEETK_CUB_HERE) : here(here) {}

    T Sum(T input) { return Reduce(input, std::plus<>{}); }
    T Sum(T input, int valid_items) { return Reduce(input, std::plus<>{}, valid_items); }
    template <class Op>
    T Reduce(T input, Op op) {
        return Reduce(input, op, LOGICAL_WARP_THREADS);
    }
    // Of the first `valid_items` lanes' inputs.
    template <class Op>
    T Reduce(T input, Op op, int valid_items) {
        Frame frame{&input, false, leetk::spoilt(input)};
        leetk::WarpMeeting<LOGICAL_WARP_THREADS> meeting;
        meeting.attend(&frame, here, [&] {
            int end = valid_items < LOGICAL_WARP_THREADS ? valid_items : LOGICAL_WARP_THREADS;
            add_up(meeting, op, 0, end);
        });
        return frame.total;
    }
    template <int N>
    T Sum(T (&inputs)[N]) {
        return Sum(ThreadReduce(inputs, std::plus<>{}));
    }
    template <int N, class Op>
    T Reduce(T (&inputs)[N], Op op) {
        return Reduce(ThreadReduce(inputs, op), op);
    }

    // A segment begins at each flagged lane, or ends there; its first lane gets its total.
    template <class Flag>
    T HeadSegmentedSum(T input, Flag head_flag) {
        return segmented(input, bool(head_flag), std::plus<>{}, true);
    }
    template <class Flag>
    T TailSegmentedSum(T input, Flag tail_flag) {
        return segmented(input, bool(tail_flag), std::plus<>{}, false);
    }
    template <class Op, class Flag>
    T HeadSegmentedReduce(T input, Flag head_flag, Op op) {
        return segmented(input, bool(head_flag), op, true);
    }
    template <class Op, class Flag>
    T TailSegmentedReduce(T input, Flag tail_flag, Op op) {
        return segmented(input, bool(tail_flag), op, false);
    }

private:
    leetk::Here here;

    // Gives lane `begin` the total of lanes [begin, end), unless one is missing.
    template <class Meeting, class Op>
    static void add_up(const Meeting& meeting, Op& op, int begin, int end) {
        Frame* first = meeting.template frame<Frame>(begin);
        if (!first || end <= begin) return;
        T total = *first->input;
        for (int lane = begin + 1; lane < end; ++lane) {
            const Frame* frame = meeting.template frame<Frame>(lane);
            if (!frame) return;
            total = op(total, *frame->input);
        }
        first->total = total;
    }

    template <class Op>
    T segmented(T input, bool flag, Op op, bool heads) {
        Frame frame{&input, flag, leetk::spoilt(input)};
        leetk::WarpMeeting<LOGICAL_WARP_THREADS> meeting;
        meeting.attend(&frame, here, [&] {
            int begin = 0;
            for (int lane = 1; lane <= meeting.lanes; ++lane) {
                const Frame* border = meeting.template frame<Frame>(heads ? lane : lane - 1);
                if (lane < meeting.lanes && !(border && border->flag)) continue;
                add_up(meeting, op, begin, lane);
                begin = lane;
            }
        });
        return frame.total;
    }
};

}  // namespace cub

#endif
