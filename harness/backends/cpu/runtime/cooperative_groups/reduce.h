// Reductions over tiles and coalesced groups, with CUDA's order of operations: by halves in a tile,
// as a scan in a group with gaps, and in a tile of several warps first within each warp.
#ifndef LEETK_COOPERATIVE_GROUPS_REDUCE_H
#define LEETK_COOPERATIVE_GROUPS_REDUCE_H
#pragma GCC system_header

#include "cooperative_groups.h"

#include "api/group_functors.h"

namespace cooperative_groups {
namespace details {

template <unsigned Size, class T, class Functor>
T reduce_by_halves(const WarpTile<Size>& tile, T value, Functor& functor, const char* file,
                   int line) {
    for (unsigned by = Size / 2; by > 0; by /= 2) {
        value = functor(value, tile.shfl_xor(value, by, file, line));
    }
    return value;
}

template <class T, class Functor>
T reduce_lanes(const coalesced_group& group, T value, Functor& functor, const char* file,
               int line) {
    if (group.size() == 32) return reduce_by_halves(WarpTile<32>(), value, functor, file, line);
    const T sums = scan_up(group, value, functor, file, line);
    return group.shfl(sums, int(group.size() - 1), file, line);
}
template <unsigned Size, class T, class Functor>
T reduce_lanes(const WarpTile<Size>& tile, T value, Functor& functor, const char* file, int line) {
    return reduce_by_halves(tile, value, functor, file, line);
}

// Whatever lies within a warp.
template <class Group, class T, class Functor>
T reduce_group(const Group& group, T value, Functor& functor, const char* file, int line) {
    constexpr leetk::WarpOp whole = whole_operation<T, Functor>();
    if constexpr (whole != leetk::WarpOp::sync) {
        using Wide = std::conditional_t<std::is_unsigned<T>::value, unsigned, int>;
        return T(leetk::warp_meet(whole, group.get_mask(), (unsigned)Wide(value), file, line));
    } else {
        return reduce_lanes(group, value, functor, file, line);
    }
}

// The results of the warps, as a tile of that many lanes would reduce them.
template <unsigned Size, class T, class Functor>
T reduce_group(const BlockTile<Size>&, T value, Functor& functor, const char* file, int line) {
    constexpr unsigned warps = Size / 32;
    const T sum = reduce_group(WarpTile<32>(), value, functor, file, line);
    typename BlockTile<Size>::template Exchange<T> exchange(sum, file, line);
    T sums[warps];
    for (unsigned warp = 0; warp < warps; ++warp) sums[warp] = exchange.of(32 * warp);
    for (unsigned by = warps / 2; by > 0; by /= 2) {
        T next[warps];
        for (unsigned warp = 0; warp < warps; ++warp) {
            next[warp] = functor(sums[warp], sums[warp ^ by]);
        }
        for (unsigned warp = 0; warp < warps; ++warp) sums[warp] = next[warp];
    }
    return sums[0];
}

}  // namespace details

template <class Group, class T, class Functor>
auto reduce(const Group& group, T&& value, Functor&& functor, LEETK_HERE)
    -> decltype(functor(value, value)) {
    using Value = leetk::Plain<T>;
    static_assert(std::is_same<leetk::Plain<decltype(functor(value, value))>, Value>::value,
                  "the operator's result must have the type of its operands");
    static_assert(Group::_group_id == details::coalesced_group_id ||
                      Group::_group_id == details::multi_tile_group_id,
                  "reduce works on tiles and coalesced groups");
    return details::reduce_group(details::operations_of(group), Value(value), functor, file, line);
}

template <class Group, class T, class Value, class Functor>
void reduce_store_async(const Group& group, T* to, Value&& value, Functor&& functor, LEETK_HERE) {
    const T result = reduce(group, T(value), functor, file, line);
    if (group.thread_rank() == 0) *to = result;
}

}  // namespace cooperative_groups

#endif
