// How values of any type travel between the lanes of a group.
#ifndef LEETK_API_GROUP_VALUES_H
#define LEETK_API_GROUP_VALUES_H
#pragma GCC system_header

#include <type_traits>

#include "leetk/warp.h"

// The caller's place in the source, which reports name.
#define LEETK_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()

namespace leetk {

template <class T>
using Plain = std::remove_cv_t<std::remove_reference_t<T>>;

inline unsigned lower_lanes() { return (1u << lane_id()) - 1; }

// The lane of a mask's `rank`-th member, 32 if it has no such member.
inline unsigned nth_lane(unsigned mask, unsigned rank) {
    for (; rank && mask; --rank) mask &= mask - 1;
    return mask ? unsigned(__builtin_ctz(mask)) : 32u;
}

inline unsigned ballot(unsigned mask, bool predicate, const char* file, int line) {
    return unsigned(warp_meet(WarpOp::ballot, mask, predicate, file, line));
}

template <class T>
unsigned long long bits_of_value(const T& value) {
    static_assert(std::is_arithmetic<T>::value || sizeof(T) <= 8, "match takes numbers");
    unsigned long long bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    return bits;
}

template <class T>
T shuffle_value(WarpOp operation, unsigned mask, const T& value, unsigned lane, int width,
                const char* file, int line) {
    static_assert(std::is_trivially_copyable<T>::value && sizeof(T) <= 32,
                  "a shuffled type must be trivially copyable and have at most 32 bytes");
    if constexpr (sizeof(T) <= 8) {
        unsigned long long bits =
            shuffle(operation, mask, bits_of_value(value), lane, width, file, line);
        T result = value;
        __builtin_memcpy(&result, &bits, sizeof result);
        return result;
    } else {
        T result = value;
        shuffle_bytes(operation, mask, &value, &result, sizeof result, lane, width, file, line);
        return result;
    }
}

}  // namespace leetk

#endif
