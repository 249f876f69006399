// The operators of cooperative groups' reductions and scans, and which of them one warp operation
// does.
#ifndef LEETK_API_GROUP_FUNCTORS_H
#define LEETK_API_GROUP_FUNCTORS_H
#pragma GCC system_header

#include "api/group_partitions.h"

namespace cooperative_groups {

#define LEETK_FUNCTOR(name, result)                             \
    template <class T>                                          \
    struct name {                                               \
        constexpr T operator()(T a, T b) const { return result; } \
    };
LEETK_FUNCTOR(plus, a + b)
LEETK_FUNCTOR(less, b < a ? b : a)
LEETK_FUNCTOR(greater, a < b ? b : a)
LEETK_FUNCTOR(bit_and, a & b)
LEETK_FUNCTOR(bit_xor, a ^ b)
LEETK_FUNCTOR(bit_or, a | b)
#undef LEETK_FUNCTOR

namespace details {

// A group as what does its operations, without its parent.
inline const coalesced_group& operations_of(const coalesced_group& group) { return group; }
template <unsigned Size>
const WarpTile<Size>& operations_of(const WarpTile<Size>& tile) {
    return tile;
}
template <unsigned Size>
const BlockTile<Size>& operations_of(const BlockTile<Size>& tile) {
    return tile;
}

// The operation of a whole warp that gives the same as the functor, for integers of up to 32 bits;
// WarpOp::sync where there is none.
template <class T, class Functor>
constexpr leetk::WarpOp whole_operation() {
    using leetk::WarpOp;
    using F = leetk::Plain<Functor>;
    if (!std::is_integral<T>::value || sizeof(T) > 4) return WarpOp::sync;
    const bool natural = std::is_unsigned<T>::value;
    if (std::is_same<F, plus<T>>::value) return WarpOp::add;
    if (std::is_same<F, less<T>>::value) return natural ? WarpOp::least_unsigned : WarpOp::least;
    if (std::is_same<F, greater<T>>::value) return natural ? WarpOp::most_unsigned : WarpOp::most;
    if (std::is_same<F, bit_and<T>>::value) return WarpOp::bit_and;
    if (std::is_same<F, bit_xor<T>>::value) return WarpOp::bit_xor;
    if (std::is_same<F, bit_or<T>>::value) return WarpOp::bit_or;
    return WarpOp::sync;
}

// The inclusive scan of a group within a warp: each rank adds what 1, 2, 4 ... ranks below it have,
// as CUDA does, so that rounding is the same.
template <class Group, class T, class Functor>
T scan_up(const Group& group, T value, Functor& functor, const char* file, int line) {
    const unsigned rank = group.thread_rank();
    for (unsigned by = 1; by < group.size(); by <<= 1) {
        const T other = group.shfl_up(value, int(by), file, line);
        if (rank >= by) value = functor(value, other);
    }
    return value;
}

}  // namespace details
}  // namespace cooperative_groups

#endif
