// Scans over tiles and coalesced groups.
#ifndef LEETK_COOPERATIVE_GROUPS_SCAN_H
#define LEETK_COOPERATIVE_GROUPS_SCAN_H
#pragma GCC system_header

#include "cooperative_groups.h"

#include "api/group_functors.h"

namespace cooperative_groups {
namespace details {

// Within a warp.
template <bool exclusive, class Group, class T, class Functor>
T scan_group(const Group& group, T value, Functor& functor, const char* file, int line) {
    const T sums = scan_up(group, value, functor, file, line);
    if constexpr (!exclusive) return sums;
    const T before = group.shfl_up(sums, 1, file, line);
    return group.thread_rank() == 0 ? T{} : before;
}

template <bool exclusive, unsigned Size, class T, class Functor>
T scan_group(const BlockTile<Size>& tile, T value, Functor& functor, const char* file, int line) {
    const WarpTile<32> warp;
    T sums = scan_up(warp, value, functor, file, line);
    typename BlockTile<Size>::template Exchange<T> exchange(sums, file, line);
    if constexpr (exclusive) sums = warp.shfl_up(sums, 1, file, line);
    const unsigned warps_before = tile.thread_rank() / 32;
    const bool first = exclusive && warp.thread_rank() == 0;
    if (warps_before == 0) return first ? T{} : sums;
    T before = exchange.of(31);
    for (unsigned i = 1; i < warps_before; ++i) before = functor(exchange.of(32 * i + 31), before);
    return first ? before : T(functor(sums, before));
}

template <bool exclusive, class Group, class T, class Functor>
auto scan(const Group& group, T&& value, Functor&& functor, const char* file, int line)
    -> decltype(functor(value, value)) {
    using Value = leetk::Plain<T>;
    static_assert(std::is_same<leetk::Plain<decltype(functor(value, value))>, Value>::value,
                  "the operator's result must have the type of its operands");
    static_assert(Group::_group_id == coalesced_group_id || Group::_group_id == multi_tile_group_id,
                  "scans work on tiles and coalesced groups");
    return scan_group<exclusive>(operations_of(group), Value(value), functor, file, line);
}

}  // namespace details

#define LEETK_SCAN(name, exclusive)                                                         \
    template <class Group, class T, class Functor>                                          \
    auto name(const Group& group, T&& value, Functor&& functor, LEETK_HERE)                 \
        -> decltype(functor(value, value)) {                                                \
        return details::scan<exclusive>(group, static_cast<T&&>(value), functor, file, line); \
    }                                                                                       \
    template <class Group, class T>                                                         \
    leetk::Plain<T> name(const Group& group, T&& value, LEETK_HERE) {                       \
        return details::scan<exclusive>(group, static_cast<T&&>(value),                     \
                                        plus<leetk::Plain<T>>(), file, line);               \
    }
LEETK_SCAN(inclusive_scan, false)
LEETK_SCAN(exclusive_scan, true)
#undef LEETK_SCAN

}  // namespace cooperative_groups

#endif
