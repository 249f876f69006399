// Tiles of a size that the compiler knows: thread_block_tile and tiled_partition<size>.
//
// A tile of up to 32 threads is a part of a warp. A larger one, up to 1,024, is several warps: its
// threads exchange values through a place each has (leetk::exchange_slot), between two barriers.
#ifndef LEETK_API_GROUP_TILES_H
#define LEETK_API_GROUP_TILES_H
#pragma GCC system_header

#include "api/groups.h"

namespace cooperative_groups {

template <unsigned Size, class Parent = void>
class thread_block_tile;

namespace details {

constexpr bool is_power_of_two(unsigned n) { return n && !(n & (n - 1)); }

// Operations of a tile within one warp.
template <unsigned Size>
class WarpTile {
public:
    static constexpr unsigned _group_id = coalesced_group_id;

    static unsigned thread_rank() { return leetk::thread_rank() & (Size - 1); }
    static constexpr unsigned num_threads() { return Size; }
    static constexpr unsigned size() { return Size; }
    static unsigned get_mask() { return (~0u >> (32 - Size)) << first_lane(); }

    static void sync(LEETK_HERE) {
        leetk::warp_meet(leetk::WarpOp::sync, get_mask(), 0, file, line);
    }

#define LEETK_TILE_SHUFFLE(name, operation, Lane)                                            \
    template <class T>                                                                       \
    leetk::Plain<T> name(T&& value, Lane lane, LEETK_HERE) const {                           \
        return leetk::shuffle_value<leetk::Plain<T>>(leetk::WarpOp::operation, get_mask(), value, \
                                                     unsigned(lane), Size, file, line);      \
    }
    LEETK_TILE_SHUFFLE(shfl, shuffle, int)
    LEETK_TILE_SHUFFLE(shfl_down, shuffle_down, unsigned)
    LEETK_TILE_SHUFFLE(shfl_up, shuffle_up, unsigned)
    LEETK_TILE_SHUFFLE(shfl_xor, shuffle_xor, unsigned)
#undef LEETK_TILE_SHUFFLE

    int any(int predicate, LEETK_HERE) const {
        return leetk::ballot(get_mask(), predicate != 0, file, line) != 0;
    }
    int all(int predicate, LEETK_HERE) const {
        return leetk::ballot(get_mask(), predicate != 0, file, line) == get_mask();
    }
    unsigned ballot(int predicate, LEETK_HERE) const {
        return leetk::ballot(get_mask(), predicate != 0, file, line) >> first_lane();
    }
    template <class T>
    unsigned match_any(T value, LEETK_HERE) const {
        return unsigned(leetk::warp_meet(leetk::WarpOp::match_any, get_mask(),
                                         leetk::bits_of_value(value), file, line)) >>
               first_lane();
    }
    template <class T>
    unsigned match_all(T value, int& all, LEETK_HERE) const {
        unsigned same = unsigned(leetk::warp_meet(leetk::WarpOp::match_all, get_mask(),
                                                  leetk::bits_of_value(value), file, line));
        all = same != 0;
        return same >> first_lane();
    }

private:
    static unsigned first_lane() { return leetk::lane_id() & ~(Size - 1); }
};

// Operations of a tile of several warps.
template <unsigned Size>
class BlockTile {
public:
    static constexpr unsigned _group_id = multi_tile_group_id;

    static unsigned thread_rank() { return leetk::thread_rank() & (Size - 1); }
    static constexpr unsigned num_threads() { return Size; }
    static constexpr unsigned size() { return Size; }
    static void sync(LEETK_HERE) { leetk::tile_barrier(Size, file, line); }

    template <class T>
    T shfl(T value, unsigned rank, LEETK_HERE) const {
        Exchange<T> exchange(value, file, line);
        return exchange.of(rank);
    }
    int any(int predicate, LEETK_HERE) const { return count(predicate, file, line) != 0; }
    int all(int predicate, LEETK_HERE) const { return count(predicate, file, line) == Size; }

    // Between its construction and its end, the values of all threads of the tile can be read.
    template <class T>
    class Exchange {
        static_assert(std::is_trivially_copyable<T>::value && sizeof(T) <= 8,
                      "tiles of more than 32 threads exchange types of at most 8 bytes");

    public:
        Exchange(const T& value, const char* source, int at) : file(source), line(at) {
            __builtin_memcpy(&leetk::exchange_slot(leetk::thread_rank()), &value, sizeof value);
            leetk::tile_barrier(Size, file, line);
        }
        ~Exchange() { leetk::tile_barrier(Size, file, line); }
        Exchange(const Exchange&) = delete;
        Exchange& operator=(const Exchange&) = delete;

        T of(unsigned rank) const {
            T value;
            unsigned first = leetk::thread_rank() & ~(Size - 1);
            __builtin_memcpy(&value, &leetk::exchange_slot(first + rank), sizeof value);
            return value;
        }

    private:
        const char* file;
        int line;
    };

private:
    unsigned count(int predicate, const char* file, int line) const {
        Exchange<int> exchange(predicate != 0, file, line);
        unsigned sum = 0;
        for (unsigned rank = 0; rank < Size; ++rank) sum += unsigned(exchange.of(rank));
        return sum;
    }
};

template <unsigned Size>
using Tile = std::conditional_t<(Size <= 32), WarpTile<Size < 32 ? Size : 32>, BlockTile<Size>>;

}  // namespace details

// A tile whose parent's type is known.
template <unsigned Size, class Parent>
class thread_block_tile : public details::Tile<Size> {
    static_assert(details::is_power_of_two(Size) && Size <= 1024,
                  "the size of a tile must be a power of two, at most 1024");

public:
    explicit thread_block_tile(const Parent&) {}

    static unsigned meta_group_rank() { return unsigned(Parent::thread_rank()) / Size; }
    static unsigned meta_group_size() { return unsigned(Parent::size() + Size - 1) / Size; }

    operator thread_block_tile<Size, void>() const;
};

// A tile of any parent.
template <unsigned Size>
class thread_block_tile<Size, void> : public details::Tile<Size>, public thread_group {
    using Base = details::Tile<Size>;

public:
    thread_block_tile(unsigned rank, unsigned groups) : thread_group(Base::_group_id) {
        if constexpr (Size <= 32) mask = Base::get_mask();
        members = Size;
        tiled = true;
        rank_in_parent = rank;
        groups_in_parent = groups;
    }

    using Base::num_threads;
    using Base::size;
    using Base::sync;
    using Base::thread_rank;
    static constexpr unsigned _group_id = Base::_group_id;
    unsigned meta_group_rank() const { return rank_in_parent; }
    unsigned meta_group_size() const { return groups_in_parent; }
};

template <unsigned Size, class Parent>
thread_block_tile<Size, Parent>::operator thread_block_tile<Size, void>() const {
    return thread_block_tile<Size, void>(meta_group_rank(), meta_group_size());
}

template <unsigned Size, class Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent& parent) {
    return thread_block_tile<Size, Parent>(parent);
}

inline thread_block_tile<1, void> this_thread() { return thread_block_tile<1, void>(0, 1); }

}  // namespace cooperative_groups

#endif
