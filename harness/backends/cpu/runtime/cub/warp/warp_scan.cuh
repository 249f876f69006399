// cub::WarpScan.
#ifndef LEETK_CUB_WARP_SCAN_CUH
#define LEETK_CUB_WARP_SCAN_CUH
#pragma GCC system_header

#include "cub/leetk/block.h"
#include "cub/leetk/warp_meeting.h"
#include "cub/thread/thread_operators.cuh"

namespace cub {

template <class T, int LOGICAL_WARP_THREADS = 32, int LEGACY_PTX_ARCH = 0>
class WarpScan {
    static_assert(LOGICAL_WARP_THREADS >= 1 && LOGICAL_WARP_THREADS <= 32);
    using Plus = std::plus<>;

    struct Frame {
        const T* input;
        T before;  // the fold of the lanes before; poison in lane 0
        T inclusive;
        T aggregate;
    };

public:
    struct TempStorage {};

    WarpScan(TempStorage&, LEETK_CUB_HERE) : here(here) {}

    void InclusiveSum(T input, T& inclusive_output) {
        InclusiveScan(input, inclusive_output, Plus{});
    }
    void InclusiveSum(T input, T& inclusive_output, T& warp_aggregate) {
        InclusiveScan(input, inclusive_output, Plus{}, warp_aggregate);
    }
    void ExclusiveSum(T input, T& exclusive_output) {
        ExclusiveScan(input, exclusive_output, T{}, Plus{});
    }
    void ExclusiveSum(T input, T& exclusive_output, T& warp_aggregate) {
        ExclusiveScan(input, exclusive_output, T{}, Plus{}, warp_aggregate);
    }

    template <class Op>
    void InclusiveScan(T input, T& inclusive_output, Op op) {
        inclusive_output = scan(input, op).inclusive;
    }
    template <class Op>
    void InclusiveScan(T input, T& inclusive_output, T initial_value, Op op) {
        inclusive_output = op(initial_value, scan(input, op).inclusive);
    }
    template <class Op>
    void InclusiveScan(T input, T& inclusive_output, Op op, T& warp_aggregate) {
        Frame frame = scan(input, op);
        inclusive_output = frame.inclusive;
        warp_aggregate = frame.aggregate;
    }
    template <class Op>
    void InclusiveScan(T input, T& inclusive_output, T initial_value, Op op, T& warp_aggregate) {
        Frame frame = scan(input, op);
        inclusive_output = op(initial_value, frame.inclusive);
        warp_aggregate = frame.aggregate;
    }

    // Without an initial value lane 0's output is undefined.
    template <class Op>
    void ExclusiveScan(T input, T& exclusive_output, Op op) {
        exclusive_output = scan(input, op).before;
    }
    template <class Op>
    void ExclusiveScan(T input, T& exclusive_output, T initial_value, Op op) {
        exclusive_output = exclusive(scan(input, op), initial_value, op);
    }
    template <class Op>
    void ExclusiveScan(T input, T& exclusive_output, Op op, T& warp_aggregate) {
        Frame frame = scan(input, op);
        exclusive_output = frame.before;
        warp_aggregate = frame.aggregate;
    }
    // The aggregate leaves the initial value out.
    template <class Op>
    void ExclusiveScan(T input, T& exclusive_output, T initial_value, Op op, T& warp_aggregate) {
        Frame frame = scan(input, op);
        exclusive_output = exclusive(frame, initial_value, op);
        warp_aggregate = frame.aggregate;
    }

    template <class Op>
    void Scan(T input, T& inclusive_output, T& exclusive_output, Op op) {
        Frame frame = scan(input, op);
        inclusive_output = frame.inclusive;
        exclusive_output = frame.before;
    }
    template <class Op>
    void Scan(T input, T& inclusive_output, T& exclusive_output, T initial_value, Op op) {
        Frame frame = scan(input, op);
        inclusive_output = op(initial_value, frame.inclusive);
        exclusive_output = exclusive(frame, initial_value, op);
    }

    T Broadcast(T input, unsigned int src_lane) {
        Frame frame{&input, input, input, leetk::spoilt(input)};
        Meeting meeting;
        meeting.attend(&frame, here, [&] {
            // Each lane asks for the lane that it names; all name the same one.
            const Frame* source = meeting.template frame<Frame>(int(src_lane));
            for (int lane = 0; source && lane < meeting.lanes; ++lane) {
                Frame* to = meeting.template frame<Frame>(lane);
                if (to) to->aggregate = *source->input;
            }
        });
        return frame.aggregate;
    }

private:
    using Meeting = leetk::WarpMeeting<LOGICAL_WARP_THREADS>;
    leetk::Here here;

    template <class Op>
    Frame scan(const T& input, Op& op) {
        T poison = leetk::spoilt(input);
        Frame frame{&input, poison, poison, poison};
        Meeting meeting;
        meeting.attend(&frame, here, [&] { fill(meeting, op); });
        return frame;
    }

    template <class Op>
    static void fill(const Meeting& meeting, Op& op) {
        Frame* frame = meeting.template frame<Frame>(0);
        if (!frame) return;
        T total = *frame->input;
        frame->inclusive = total;
        for (int lane = 1; lane < meeting.lanes; ++lane) {
            frame = meeting.template frame<Frame>(lane);
            if (!frame) return;
            frame->before = total;
            total = op(total, *frame->input);
            frame->inclusive = total;
        }
        if (meeting.lanes < LOGICAL_WARP_THREADS) return;
        for (int lane = 0; lane < meeting.lanes; ++lane) {
            meeting.template frame<Frame>(lane)->aggregate = total;
        }
    }

    template <class Op>
    static T exclusive(const Frame& frame, const T& initial_value, Op& op) {
        bool first = leetk::linear_thread() % 32 % LOGICAL_WARP_THREADS == 0;
        return first ? initial_value : T(op(initial_value, frame.before));
    }
};

}  // namespace cub

#endif
