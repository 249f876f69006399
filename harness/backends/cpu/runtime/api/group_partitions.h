// Groups made of groups at run time, and work for one member of a group.
#ifndef LEETK_API_GROUP_PARTITIONS_H
#define LEETK_API_GROUP_PARTITIONS_H
#pragma GCC system_header

#include "api/group_tiles.h"

namespace cooperative_groups {

// A tile of a coalesced group. In a run of lanes it is a run; elsewhere it takes the next `size`
// members.
inline coalesced_group tiled_partition(const coalesced_group& parent, unsigned size, LEETK_HERE) {
    if (!details::is_power_of_two(size) || size > 32) details::bad_tile_size(size, file, line);
    if (parent.size() <= size) return parent;
    const unsigned rank = parent.thread_rank() / size;
    const unsigned groups = (parent.size() + size - 1) / size;
    unsigned lanes = 0;
    for (unsigned i = rank * size; i < (rank + 1) * size && i < parent.size(); ++i) {
        lanes |= 1u << parent.lane_of(i);
    }
    return coalesced_group(lanes, rank, groups, parent.is_run());
}

inline thread_group tiled_partition(const thread_block& block, unsigned size, LEETK_HERE) {
    if (!details::is_power_of_two(size) || size > 32) details::bad_tile_size(size, file, line);
    const unsigned first = block.thread_rank() & ~(size - 1);
    const unsigned left = block.size() - first;
    const unsigned lanes = ~0u >> (32 - (left < size ? left : size));
    return coalesced_group(lanes << (leetk::lane_id() & ~(size - 1)), block.thread_rank() / size,
                           (block.size() + size - 1) / size, true);
}

inline thread_group tiled_partition(const thread_group& parent, unsigned size, LEETK_HERE) {
    if (parent.get_type() != details::coalesced_group_id) {
        return tiled_partition(thread_block(), size, file, line);
    }
    return tiled_partition(coalesced_group(parent.mask, parent.rank_in_parent,
                                           parent.groups_in_parent, parent.tiled),
                           size, file, line);
}

namespace details {

template <class Group>
coalesced_group split_by(const Group& group, bool predicate, const char* file, int line) {
    const unsigned all = group.get_mask();
    const unsigned chosen = leetk::ballot(all, predicate, file, line);
    if (chosen == all || chosen == 0) return coalesced_group(all);
    return coalesced_group(predicate ? chosen : all & ~chosen, predicate, 2);
}

// Groups of equal labels, in the order of their first members.
template <class Group>
coalesced_group split_by_label(const Group& group, unsigned long long label, const char* file,
                               int line) {
    const unsigned all = group.get_mask();
    const unsigned same =
        unsigned(leetk::warp_meet(leetk::WarpOp::match_any, all, label, file, line));
    const unsigned first = same & -same;
    const unsigned leaders = leetk::ballot(all, first >> leetk::lane_id() & 1, file, line);
    return coalesced_group(same, unsigned(__builtin_popcount(leaders & (first - 1))),
                           unsigned(__builtin_popcount(leaders)));
}

template <class Group, class Label>
coalesced_group split(const Group& group, Label label, const char* file, int line) {
    static_assert(std::is_integral<Label>::value || std::is_pointer<Label>::value,
                  "labels are integers or pointers");
    if constexpr (std::is_same<Label, bool>::value) return split_by(group, label, file, line);
    return split_by_label(group, (unsigned long long)label, file, line);
}

// One member of the group, the same for all who ask.
template <class Group>
bool is_leader(const Group& group, const char* file, int line) {
    if constexpr (Group::_group_id == coalesced_group_id) {
        const unsigned mask = group.get_mask();
        leetk::warp_meet(leetk::WarpOp::sync, mask, 0, file, line);
        return unsigned(__builtin_ctz(mask)) == leetk::lane_id();
    }
    return group.thread_rank() == 0;
}

}  // namespace details

inline coalesced_group binary_partition(const coalesced_group& group, bool predicate, LEETK_HERE) {
    return details::split_by(group, predicate, file, line);
}
template <unsigned Size, class Parent>
coalesced_group binary_partition(const thread_block_tile<Size, Parent>& tile, bool predicate,
                                 LEETK_HERE) {
    static_assert(Size <= 32, "only tiles of at most 32 threads are split");
    return details::split_by(tile, predicate, file, line);
}

template <class Label>
coalesced_group labeled_partition(const coalesced_group& group, Label label, LEETK_HERE) {
    return details::split(group, label, file, line);
}
template <class Label, unsigned Size, class Parent>
coalesced_group labeled_partition(const thread_block_tile<Size, Parent>& tile, Label label,
                                  LEETK_HERE) {
    static_assert(Size <= 32, "only tiles of at most 32 threads are split");
    return details::split(tile, label, file, line);
}

template <class Group, class Function, class... Arguments>
void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
    if (details::is_leader(group, __builtin_FILE(), __builtin_LINE())) {
        static_cast<Function&&>(function)(static_cast<Arguments&&>(arguments)...);
    }
}

template <class Group, class Function, class... Arguments>
auto invoke_one_broadcast(const Group& group, Function&& function, Arguments&&... arguments)
    -> std::remove_reference_t<decltype(function(arguments...))> {
    using Result = leetk::Plain<decltype(function(arguments...))>;
    static_assert(!std::is_void<Result>::value, "invoke_one is for functions that return void");
    Result result{};
    if (details::is_leader(group, __builtin_FILE(), __builtin_LINE())) {
        result = static_cast<Function&&>(function)(static_cast<Arguments&&>(arguments)...);
    }
    return group.shfl(result, 0);
}

}  // namespace cooperative_groups

#endif
