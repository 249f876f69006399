// The results of warp operations, lane by lane.
#include "leetk/lanes.h"

#include <string.h>

#include "leetk/runtime.h"

namespace leetk {
namespace {

Bits unknown() { return Bits(poison_word()) << 32 | poison_word(); }

void shuffle_lanes(Warp& warp, unsigned arrived) {
    Bits poisoned = arrived == ~0u ? 0 : unknown();
    LEETK_FOR_LANES(lane, arrived) {
        unsigned from = warp.source[lane];
        warp.out[lane] = arrived >> from & 1 ? warp.in[from] : poisoned;
    }
}

// `in` and `out` hold the addresses of the lanes' objects.
void shuffle_objects(Warp& warp, unsigned arrived, size_t bytes) {
    LEETK_FOR_LANES(lane, arrived) {
        unsigned from = warp.source[lane];
        void* to = reinterpret_cast<void*>(uintptr_t(warp.out[lane]));
        if (arrived >> from & 1) {
            memcpy(to, reinterpret_cast<const void*>(uintptr_t(warp.in[from])), bytes);
        } else {
            poison(to, bytes);
        }
    }
}

void give_all(Warp& warp, unsigned arrived, Bits result) {
    LEETK_FOR_LANES(lane, arrived) warp.out[lane] = result;
}

unsigned true_lanes(const Warp& warp, unsigned arrived) {
    unsigned found = 0;
    LEETK_FOR_LANES(lane, arrived) found |= unsigned(warp.in[lane] != 0) << lane;
    return found;
}

void match_any(Warp& warp, unsigned arrived) {
    for (unsigned todo = arrived; todo;) {
        Bits value = warp.in[__builtin_ctz(todo)];
        unsigned same = 0;
        LEETK_FOR_LANES(lane, todo) same |= unsigned(warp.in[lane] == value) << lane;
        give_all(warp, same, same);
        todo &= ~same;
    }
}

bool all_same(const Warp& warp, unsigned arrived) {
    Bits value = warp.in[__builtin_ctz(arrived)];
    LEETK_FOR_LANES(lane, arrived) {
        if (warp.in[lane] != value) return false;
    }
    return true;
}

unsigned combine(WarpOp operation, unsigned a, unsigned b) {
    switch (operation) {
        case WarpOp::add: return a + b;
        case WarpOp::least: return int(a) < int(b) ? a : b;
        case WarpOp::least_unsigned: return a < b ? a : b;
        case WarpOp::most: return int(a) > int(b) ? a : b;
        case WarpOp::most_unsigned: return a > b ? a : b;
        case WarpOp::bit_and: return a & b;
        case WarpOp::bit_or: return a | b;
        default: return a ^ b;
    }
}

void reduce(Warp& warp, unsigned arrived, WarpOp operation) {
    int first = __builtin_ctz(arrived);
    unsigned result = unsigned(warp.in[first]);
    LEETK_FOR_LANES(lane, arrived & (arrived - 1)) {
        result = combine(operation, result, unsigned(warp.in[lane]));
    }
    give_all(warp, arrived, result);
}

}  // namespace

const char* name_of(WarpOp operation) {
    static const char* const names[] = {
        "__shfl_up_sync",    "__shfl_down_sync",  "__shfl_xor_sync",   "__shfl_sync",
        "__syncwarp",        "__ballot_sync",     "__any_sync",        "__all_sync",
        "__uni_sync",        "__match_any_sync",  "__match_all_sync",  "__reduce_add_sync",
        "__reduce_min_sync", "__reduce_min_sync", "__reduce_max_sync", "__reduce_max_sync",
        "__reduce_and_sync", "__reduce_or_sync",  "__reduce_xor_sync", "__activemask"};
    return names[int(operation)];
}

void compute(Warp& warp, const Group& group) {
    unsigned arrived = group.arrived;
    switch (group.operation) {
        case WarpOp::shuffle_up:
        case WarpOp::shuffle_down:
        case WarpOp::shuffle_xor:
        case WarpOp::shuffle:
            if (group.bytes) return shuffle_objects(warp, arrived, group.bytes);
            return shuffle_lanes(warp, arrived);
        case WarpOp::sync: return;
        case WarpOp::ballot: return give_all(warp, arrived, true_lanes(warp, arrived));
        case WarpOp::any: return give_all(warp, arrived, true_lanes(warp, arrived) != 0);
        case WarpOp::all: return give_all(warp, arrived, true_lanes(warp, arrived) == arrived);
        case WarpOp::uniform: {
            unsigned found = true_lanes(warp, arrived);
            return give_all(warp, arrived, found == arrived || found == 0);
        }
        case WarpOp::match_any: return match_any(warp, arrived);
        case WarpOp::match_all:
            return give_all(warp, arrived, all_same(warp, arrived) ? arrived : 0);
        case WarpOp::active: return give_all(warp, arrived, arrived);
        default: return reduce(warp, arrived, group.operation);
    }
}

}  // namespace leetk
