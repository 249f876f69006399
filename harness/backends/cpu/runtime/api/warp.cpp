// The warp functions of api/warp.h: their types, on top of leetk/warp.h, which knows bits only.
#include "api/warp.h"

#include "leetk/warp.h"

namespace {

using leetk::WarpOp;

template <class T>
inline unsigned long long bits_in(T value) {
    unsigned long long bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    return bits;
}

// The low bytes: the machine is little-endian.
template <class T>
inline T value_in(unsigned long long bits) {
    T value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

}  // namespace

#define LEETK_SHUFFLE(T, name, operation, Lane)                                              \
    T name(unsigned mask, T value, Lane lane, int width, const char* file, int line) {       \
        return value_in<T>(leetk::shuffle(operation, mask, bits_in(value), unsigned(lane), width, \
                                          file, line));                                      \
    }
#define LEETK_SHUFFLES(T)                                                                        \
    LEETK_SHUFFLE(T, __shfl_sync, WarpOp::shuffle, int)                                          \
    LEETK_SHUFFLE(T, __shfl_up_sync, WarpOp::shuffle_up, unsigned)                               \
    LEETK_SHUFFLE(T, __shfl_down_sync, WarpOp::shuffle_down, unsigned)                           \
    LEETK_SHUFFLE(T, __shfl_xor_sync, WarpOp::shuffle_xor, int)                                  \
    unsigned __match_any_sync(unsigned mask, T value, const char* file, int line) {              \
        return unsigned(leetk::warp_meet(WarpOp::match_any, mask, bits_in(value), file, line));  \
    }                                                                                            \
    unsigned __match_all_sync(unsigned mask, T value, int* all, const char* file, int line) {    \
        unsigned same = unsigned(                                                                \
            leetk::warp_meet(WarpOp::match_all, mask, bits_in(value), file, line));              \
        *all = same != 0;                                                                        \
        return same;                                                                             \
    }
LEETK_SHUFFLES(int)
LEETK_SHUFFLES(unsigned)
LEETK_SHUFFLES(long)
LEETK_SHUFFLES(unsigned long)
LEETK_SHUFFLES(long long)
LEETK_SHUFFLES(unsigned long long)
LEETK_SHUFFLES(float)
LEETK_SHUFFLES(double)

#define LEETK_MEETING(T, name, operation, V)                                                 \
    T name(unsigned mask, V value, const char* file, int line) {                             \
        return T(leetk::warp_meet(operation, mask, (unsigned long long)value, file, line));  \
    }
LEETK_MEETING(int, __reduce_add_sync, WarpOp::add, int)
LEETK_MEETING(int, __reduce_min_sync, WarpOp::least, int)
LEETK_MEETING(int, __reduce_max_sync, WarpOp::most, int)
LEETK_MEETING(unsigned, __reduce_add_sync, WarpOp::add, unsigned)
LEETK_MEETING(unsigned, __reduce_min_sync, WarpOp::least_unsigned, unsigned)
LEETK_MEETING(unsigned, __reduce_max_sync, WarpOp::most_unsigned, unsigned)
LEETK_MEETING(unsigned, __reduce_and_sync, WarpOp::bit_and, unsigned)
LEETK_MEETING(unsigned, __reduce_or_sync, WarpOp::bit_or, unsigned)
LEETK_MEETING(unsigned, __reduce_xor_sync, WarpOp::bit_xor, unsigned)
LEETK_MEETING(int, __all_sync, WarpOp::all, int)
LEETK_MEETING(int, __any_sync, WarpOp::any, int)
LEETK_MEETING(int, __uni_sync, WarpOp::uniform, int)
LEETK_MEETING(unsigned, __ballot_sync, WarpOp::ballot, int)

unsigned __activemask(const char* file, int line) { return leetk::active_mask(file, line); }

void __syncwarp(unsigned mask, const char* file, int line) {
    leetk::warp_meet(WarpOp::sync, mask, 0, file, line);
}
