// CUDA's integer intrinsics: bits, wide and narrow products, averages, byte permutation, dot
// products of packed integers.
#ifndef LEETK_API_INTRINSICS_INTEGER_H
#define LEETK_API_INTRINSICS_INTEGER_H

#include "leetk/types.h"

namespace leetk {
__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

static inline int wrapping_add(int a, int b) { return (int)((unsigned int)a + (unsigned int)b); }
static inline int signed_byte(unsigned int word, int index) {
    return (signed char)(word >> (8 * index));
}
static inline unsigned int byte(unsigned int word, int index) { return word >> (8 * index) & 255; }
static inline int signed_half(unsigned int word, int index) {
    return (short)(word >> (16 * index));
}
static inline unsigned int half(unsigned int word, int index) {
    return word >> (16 * index) & 0xffff;
}
template <class T>
static inline unsigned int word(const T& packed) {
    unsigned int result;
    __builtin_memcpy(&result, &packed, sizeof result);
    return result;
}
}  // namespace leetk

static inline int __clz(int x) { return x ? __builtin_clz((unsigned int)x) : 32; }
static inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
static inline int __popc(unsigned int x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline unsigned int __brev(unsigned int x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}
static inline unsigned long long __brevll(unsigned long long x) {
    return (unsigned long long)__brev((unsigned int)x) << 32 | __brev((unsigned int)(x >> 32));
}
static inline unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
    if (offset == 0) return mask >> (base & 31) & 1 ? base : ~0u;
    const int step = offset > 0 ? 1 : -1;
    int left = offset * step;
    for (int bit = (int)base; 0 <= bit && bit < 32; bit += step)
        if ((mask >> bit & 1) && --left == 0) return (unsigned int)bit;
    return ~0u;
}

static inline unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
    const unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned int result = 0;
    for (int i = 0; i < 4; ++i)
        result |= (unsigned int)(bytes >> (selector >> (4 * i) & 7) * 8 & 255) << (8 * i);
    return result;
}
static inline unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int by) {
    return (unsigned int)(((unsigned long long)high << 32 | low) << (by & 31) >> 32);
}
static inline unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int by) {
    return by >= 32 ? low : __funnelshift_l(low, high, by);
}
static inline unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int by) {
    return (unsigned int)(((unsigned long long)high << 32 | low) >> (by & 31));
}
static inline unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int by) {
    return by >= 32 ? high : __funnelshift_r(low, high, by);
}

static inline int __mulhi(int x, int y) { return (int)((long long)x * y >> 32); }
static inline unsigned int __umulhi(unsigned int x, unsigned int y) {
    return (unsigned int)((unsigned long long)x * y >> 32);
}
static inline long long __mul64hi(long long x, long long y) {
    return (long long)((leetk::int128)x * y >> 64);
}
static inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return (unsigned long long)((leetk::uint128)x * y >> 64);
}
static inline int __mul24(int x, int y) {
    const long long a = (int)((unsigned int)x << 8) >> 8, b = (int)((unsigned int)y << 8) >> 8;
    return (int)(unsigned int)(a * b);
}
static inline unsigned int __umul24(unsigned int x, unsigned int y) {
    return (x & 0xffffffu) * (y & 0xffffffu);
}

static inline unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) {
    return (x > y ? x - y : y - x) + z;
}
static inline unsigned int __sad(int x, int y, unsigned int z) {
    return (x > y ? (unsigned int)x - (unsigned int)y : (unsigned int)y - (unsigned int)x) + z;
}
static inline int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
static inline int __rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
static inline unsigned int __uhadd(unsigned int x, unsigned int y) {
    return (unsigned int)(((unsigned long long)x + y) >> 1);
}
static inline unsigned int __urhadd(unsigned int x, unsigned int y) {
    return (unsigned int)(((unsigned long long)x + y + 1) >> 1);
}

// --- dot products of packed integers -----------------------------------------------------------

static inline int __dp4a(int a, int b, int c) {
    for (int i = 0; i < 4; ++i)
        c = leetk::wrapping_add(
            c, leetk::signed_byte((unsigned int)a, i) * leetk::signed_byte((unsigned int)b, i));
    return c;
}
static inline unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
    for (int i = 0; i < 4; ++i) c += leetk::byte(a, i) * leetk::byte(b, i);
    return c;
}
static inline int __dp4a(char4 a, char4 b, int c) {
    return __dp4a((int)leetk::word(a), (int)leetk::word(b), c);
}
static inline unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) {
    return __dp4a(leetk::word(a), leetk::word(b), c);
}

// The two 16-bit numbers of `a` with the lower (_lo) or upper (_hi) two bytes of `b`.
#define LEETK_DP2A(name, first)                                                             \
    static inline int name(int a, int b, int c) {                                           \
        for (int i = 0; i < 2; ++i)                                                         \
            c = leetk::wrapping_add(c, leetk::signed_half((unsigned int)a, i) *             \
                                           leetk::signed_byte((unsigned int)b, first + i)); \
        return c;                                                                           \
    }                                                                                       \
    static inline unsigned int name(unsigned int a, unsigned int b, unsigned int c) {       \
        for (int i = 0; i < 2; ++i) c += leetk::half(a, i) * leetk::byte(b, first + i);     \
        return c;                                                                           \
    }                                                                                       \
    static inline int name(short2 a, char4 b, int c) {                                      \
        return name((int)leetk::word(a), (int)leetk::word(b), c);                           \
    }                                                                                       \
    static inline unsigned int name(ushort2 a, uchar4 b, unsigned int c) {                  \
        return name(leetk::word(a), leetk::word(b), c);                                     \
    }
LEETK_DP2A(__dp2a_lo, 0)
LEETK_DP2A(__dp2a_hi, 2)
#undef LEETK_DP2A

#endif
