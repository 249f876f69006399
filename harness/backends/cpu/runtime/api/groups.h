// Cooperative groups without tiles: any group, the block, the grid, coalesced lanes.
#ifndef LEETK_API_GROUPS_H
#define LEETK_API_GROUPS_H
#pragma GCC system_header

#include "api/device_functions.h"
#include "api/group_values.h"

namespace cooperative_groups {

namespace details {
constexpr unsigned coalesced_group_id = 1;
constexpr unsigned multi_tile_group_id = 2;
constexpr unsigned grid_group_id = 3;
constexpr unsigned thread_block_id = 4;

inline unsigned block_threads() { return unsigned(leetk_block_threads); }

inline unsigned long long blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
}

// Groups of a size that CUDA refuses end the kernel there, by __trap.
[[noreturn]] inline void bad_tile_size(unsigned size, const char* file, int line) {
    leetk::report_at(file, line, "trap", true,
                     "tiled_partition(group, %u): the size must be a power of two, at most 32",
                     size);
    __builtin_trap();
}
}  // namespace details

// Any group. Others are converted to it.
class thread_group {
public:
    unsigned long long size() const {
        if (type == details::grid_group_id) return details::blocks() * details::block_threads();
        return type == details::thread_block_id ? details::block_threads() : members;
    }
    unsigned long long num_threads() const { return size(); }
    unsigned long long thread_rank() const {
        if (type == details::thread_block_id) return leetk::thread_rank();
        if (type != details::grid_group_id) {
            return unsigned(__builtin_popcount(mask & leetk::lower_lanes()));
        }
        unsigned long long block =
            (blockIdx.z * (unsigned long long)gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
        return block * details::block_threads() + leetk::thread_rank();
    }
    void sync(LEETK_HERE) const {
        if (type == details::grid_group_id) {
            leetk::grid_barrier(file, line);
        } else if (type == details::thread_block_id) {
            leetk::barrier(file, line);
        } else {
            leetk::warp_meet(leetk::WarpOp::sync, mask, 0, file, line);
        }
    }
    unsigned get_type() const { return type; }

protected:
    explicit thread_group(unsigned id) : type(id) {}

    unsigned type;
    bool tiled = false;  // `mask` is a run of lanes
    unsigned mask = 0;   // of the warp's lanes, where the group lies in one
    unsigned members = 0;
    unsigned rank_in_parent = 0;
    unsigned groups_in_parent = 1;

    friend thread_group tiled_partition(const thread_group& parent, unsigned size,
                                        const char* file, int line);
};

class grid_group : public thread_group {
public:
    grid_group() : thread_group(details::grid_group_id) {}

    bool is_valid() const { return leetk::is_cooperative(); }
    void sync(LEETK_HERE) const { leetk::grid_barrier(file, line); }
    struct arrival_token {};
    arrival_token barrier_arrive() const { return {}; }
    void barrier_wait(arrival_token&&, LEETK_HERE) const { leetk::grid_barrier(file, line); }

    static unsigned long long size() { return num_threads(); }
    static unsigned long long num_threads() {
        return details::blocks() * details::block_threads();
    }
    static unsigned long long thread_rank() {
        return block_rank() * details::block_threads() + leetk::thread_rank();
    }
    static unsigned long long num_blocks() { return details::blocks(); }
    static unsigned long long block_rank() {
        return (blockIdx.z * (unsigned long long)gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    static dim3 dim_blocks() { return gridDim; }
    static dim3 group_dim() { return gridDim; }
    static dim3 block_index() { return dim3(blockIdx); }
    static dim3 dim_threads() {
        return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
    }
    static dim3 thread_index() {
        return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                    blockIdx.z * blockDim.z + threadIdx.z);
    }
};

inline grid_group this_grid() { return grid_group(); }

// Memory that CUDA needs for tiles of several warps before compute capability 8.0.
template <unsigned most_threads = 1024>
struct block_tile_memory {};

class thread_block : public thread_group {
public:
    thread_block() : thread_group(details::thread_block_id) {}

    static void sync(LEETK_HERE) { leetk::barrier(file, line); }
    struct arrival_token {};
    arrival_token barrier_arrive() const { return {}; }
    void barrier_wait(arrival_token&&, LEETK_HERE) const { leetk::barrier(file, line); }

    static unsigned size() { return details::block_threads(); }
    static unsigned num_threads() { return details::block_threads(); }
    static unsigned thread_rank() { return leetk::thread_rank(); }
    static dim3 group_index() { return dim3(blockIdx); }
    static dim3 thread_index() { return dim3(threadIdx); }
    static dim3 group_dim() { return blockDim; }
    static dim3 dim_threads() { return blockDim; }

    static constexpr unsigned _group_id = details::thread_block_id;
};

inline thread_block this_thread_block() { return thread_block(); }
template <unsigned most_threads>
thread_block this_thread_block(block_tile_memory<most_threads>&) {
    return thread_block();
}

// Lanes of a warp, named by a mask: ranks count its members.
class coalesced_group : public thread_group {
public:
    static constexpr unsigned _group_id = details::coalesced_group_id;

    unsigned size() const { return members; }
    unsigned num_threads() const { return members; }
    unsigned thread_rank() const {
        return unsigned(__builtin_popcount(mask & leetk::lower_lanes()));
    }
    unsigned meta_group_rank() const { return rank_in_parent; }
    unsigned meta_group_size() const { return groups_in_parent; }
    void sync(LEETK_HERE) const {
        leetk::warp_meet(leetk::WarpOp::sync, mask, 0, file, line);
    }

    template <class T>
    leetk::Plain<T> shfl(T&& value, int rank, LEETK_HERE) const {
        return from_lane<leetk::Plain<T>>(value, lane_of(unsigned(rank)), file, line);
    }
    template <class T>
    leetk::Plain<T> shfl_down(T&& value, unsigned by, LEETK_HERE) const {
        unsigned lane = lane_of(thread_rank() + by);
        return from_lane<leetk::Plain<T>>(value, lane < 32 ? lane : leetk::lane_id(), file, line);
    }
    template <class T>
    leetk::Plain<T> shfl_up(T&& value, int by, LEETK_HERE) const {
        unsigned rank = thread_rank();
        unsigned lane = unsigned(by) > rank ? leetk::lane_id() : lane_of(rank - unsigned(by));
        return from_lane<leetk::Plain<T>>(value, lane, file, line);
    }
    int any(int predicate, LEETK_HERE) const {
        return leetk::ballot(mask, predicate != 0, file, line) != 0;
    }
    int all(int predicate, LEETK_HERE) const {
        return leetk::ballot(mask, predicate != 0, file, line) == mask;
    }
    unsigned ballot(int predicate, LEETK_HERE) const {
        return packed(leetk::ballot(mask, predicate != 0, file, line));
    }
    template <class T>
    unsigned match_any(T value, LEETK_HERE) const {
        return packed(unsigned(leetk::warp_meet(leetk::WarpOp::match_any, mask,
                                                leetk::bits_of_value(value), file, line)));
    }
    template <class T>
    unsigned match_all(T value, int& all, LEETK_HERE) const {
        unsigned same = unsigned(leetk::warp_meet(leetk::WarpOp::match_all, mask,
                                                  leetk::bits_of_value(value), file, line));
        all = same != 0;
        return packed(same);
    }

    // For this header's own use.
    explicit coalesced_group(unsigned lanes, unsigned rank = 0, unsigned groups = 1,
                             bool run = false)
        : thread_group(details::coalesced_group_id) {
        mask = lanes;
        members = unsigned(__builtin_popcount(lanes));
        rank_in_parent = rank;
        groups_in_parent = groups;
        tiled = run;
    }
    unsigned get_mask() const { return mask; }
    bool is_run() const { return tiled; }
    unsigned lane_of(unsigned rank) const {
        return members == 32 ? rank : leetk::nth_lane(mask, rank);
    }
    template <class T>
    T from_lane(const T& value, unsigned lane, const char* file, int line) const {
        return leetk::shuffle_value(leetk::WarpOp::shuffle, mask, value, lane, 32, file, line);
    }

private:
    // Lanes as ranks.
    unsigned packed(unsigned lanes) const {
        if (members == 32) return lanes;
        unsigned ranks = 0, bit = 1;
        for (unsigned left = mask; left; left &= left - 1, bit <<= 1) {
            if (lanes & left & -left) ranks |= bit;
        }
        return ranks;
    }
};

inline coalesced_group coalesced_threads(LEETK_HERE) {
    return coalesced_group(leetk::active_mask(file, line));
}

template <class Group>
void sync(const Group& group, LEETK_HERE) {
    group.sync(file, line);
}
template <class Group>
auto thread_rank(const Group& group) -> decltype(group.thread_rank()) {
    return group.thread_rank();
}
template <class Group>
auto group_size(const Group& group) -> decltype(group.num_threads()) {
    return group.num_threads();
}

}  // namespace cooperative_groups

#endif
