// What a warp keeps of its lanes while they meet (warp.cpp), and what their operations compute.
#ifndef LEETK_LANES_H
#define LEETK_LANES_H

#include "leetk/scheduler.h"
#include "leetk/warp.h"

#pragma GCC visibility push(hidden)

namespace leetk {

typedef unsigned long long Bits;

// Lanes that wait for each other.
struct Group {
    unsigned mask;
    unsigned arrived;
    WarpOp operation;
    unsigned short bytes;  // of a shuffled object, where it is one
};

struct Warp {
    Bits in[warp_lanes];
    Bits out[warp_lanes];
    unsigned char source[warp_lanes];  // of a shuffle: the lane to read
    Group groups[warp_lanes];
    int waiting;             // groups
    Bits slots[warp_lanes];  // exchange_slot
};

const char* name_of(WarpOp operation);

// Puts the results of all lanes that have come where each finds its own.
void compute(Warp& warp, const Group& group);

#define LEETK_FOR_LANES(lane, which)                                                       \
    for (unsigned left = which, lane = 0;                                                  \
         left && (lane = unsigned(__builtin_ctz(left)), true); left &= left - 1)

}  // namespace leetk

#pragma GCC visibility pop

#endif
