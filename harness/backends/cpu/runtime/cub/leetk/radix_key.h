// The order of CUB's radix sorts: that of a key's bits as an unsigned number, once the bits of
// signed numbers (sign bit inverted) and of floating-point numbers (all bits inverted when
// negative) have been put in order. -0 and +0 count as equal.
#ifndef LEETK_CUB_RADIX_KEY_H
#define LEETK_CUB_RADIX_KEY_H
#pragma GCC system_header

#include <string.h>

#include <limits>
#include <type_traits>

#include "cub/leetk/buffer.h"

struct __half;
struct __nv_bfloat16;

namespace leetk {

template <size_t bytes>
using UnsignedOf = std::conditional_t<
    bytes == 1, unsigned char,
    std::conditional_t<bytes == 2, unsigned short,
                       std::conditional_t<bytes == 4, unsigned int, unsigned long long>>>;

template <class Key>
constexpr bool is_floating_key = std::is_floating_point_v<Key> || std::is_same_v<Key, __half> ||
                                 std::is_same_v<Key, __nv_bfloat16>;
template <class Key>
constexpr bool is_signed_key = std::is_signed_v<Key> && !is_floating_key<Key>;

template <class Key>
UnsignedOf<sizeof(Key)> ordered_bits(const Key& key) {
    static_assert(std::is_arithmetic_v<Key> || is_floating_key<Key>,
                  "a radix sort needs keys of a built-in type; other types need a decomposer");
    using Bits = UnsignedOf<sizeof(Key)>;
    constexpr Bits sign = Bits(Bits(1) << (sizeof(Key) * 8 - 1));
    Bits bits;
    memcpy(&bits, static_cast<const void*>(&key), sizeof bits);
    if constexpr (is_floating_key<Key>) {
        if (bits == sign) bits = 0;
        return bits & sign ? Bits(~bits) : Bits(bits | sign);
    } else if constexpr (is_signed_key<Key>) {
        return Bits(bits ^ sign);
    } else {
        return bits;
    }
}

// The bits [begin, end) of a key, ordered; inverted for a descending sort.
template <class Key>
class RadixOrder {
public:
    using Bits = UnsignedOf<sizeof(Key)>;

    RadixOrder(int begin, int end, bool descending)
        : shift(begin < 0 ? 0 : begin), inverted(descending) {
        constexpr int all = int(sizeof(Key)) * 8;
        width = (end > all ? all : end) - shift;
        mask = width <= 0     ? Bits(0)
               : width >= all ? Bits(~Bits(0))
                              : Bits((Bits(1) << width) - 1);
    }

    Bits operator()(const Key& key) const {
        if (mask == 0) return 0;
        Bits bits = Bits(ordered_bits(key) >> shift);
        return Bits((inverted ? Bits(~bits) : bits) & mask);
    }
    int bits() const { return width; }

private:
    int shift;
    bool inverted;
    int width;
    Bits mask;
};

struct Itself {
    template <class T>
    const T& operator()(const T& item) const {
        return item;
    }
};
struct FirstOf {
    template <class Pair>
    const auto& operator()(const Pair& pair) const {
        return pair.first;
    }
};

// Sorts `items` stably by order(key_of(item)), eight bits a pass.
template <class Item, class Order, class KeyOf>
void radix_sort(Buffer<Item>& items, const Order& order, KeyOf key_of) {
    Buffer<Item> room(items);
    size_t count = items.size();
    for (int shift = 0; shift < order.bits() && count > 0; shift += 8) {
        size_t counts[256] = {};
        auto digit = [&](const Item& item) {
            return unsigned(order(key_of(item)) >> shift & 255);
        };
        for (const Item& item : items) ++counts[digit(item)];
        if (counts[digit(items[0])] == count) continue;
        size_t sum = 0;
        for (size_t& start : counts) {
            size_t these = start;
            start = sum;
            sum += these;
        }
        for (const Item& item : items) room[counts[digit(item)]++] = item;
        items.swap(room);
    }
}

}  // namespace leetk

#endif
