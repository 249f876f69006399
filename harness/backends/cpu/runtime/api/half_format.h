// The formats of half (5 bits of exponent, 11 of significand) and bfloat16 (8 and 8): what 16 bits
// are worth, and which 16 bits are nearest to a number. A tie goes to the even one, denormals are
// kept, what is beyond the largest becomes infinite, and each NaN becomes the device's 0x7fff.
//
// All arithmetic is rounded once. It runs in float or double, and the result is then rounded to
// 16 bits. For that to be the nearest value, the first rounding must be one of these:
//   * None. A product has at most 22 bits. In bfloat16, where it has 16, its last bit may be less
//     than a float's, 2^-149, but then it is at most 255^2 * 2^-150: that is rounded to less than
//     2^-134, and then to 0, as it should.
//   * To nearest, of a sum, quotient or square root, into at least twice the significand plus 2
//     bits (Figueroa, "When is double rounding innocuous?", 1995): 24 >= 2 * 11 + 2. That leaves
//     out denormal results. A denormal sum is exact, and no root is one. A quotient (A / B) * 2^n
//     of whole A and B that isn't the tie k * 2^m is more than one part in A or in B * k off it,
//     because |A * 2^n - B * k * 2^m| is at least the lesser power of 2. For half that is more than
//     2^-22 of it, and a float is off by 2^-24 at most; for bfloat16, whose ties are multiples of
//     2^-134, it is more than 2^-142, and a float, a denormal too, is off by 2^-150 at most.
//   * To odd: what is lost sets the last bit. With 2 bits more than the format has, that tells on
//     which side of a tie the number lies (Boldo and Melquiond, "Emulation of FMA and correctly
//     rounded sums", 2008). For fused multiply-add, double and the integers.
#ifndef LEETK_API_HALF_FORMAT_H
#define LEETK_API_HALF_FORMAT_H

#include "api/intrinsics_convert.h"
#include "api/math.h"

#if defined(__F16C__) && defined(__SSE2__)
#define LEETK_HALF_INSTRUCTIONS 1
#elif defined(__aarch64__) && defined(__ARM_FP16_FORMAT_IEEE)
#define LEETK_HALF_TYPE 1
#endif

namespace leetk {

// A number rounded to odd: `nearest` is the number rounded to nearest, `lost` the rest or its sign.
// Bits as an integer are in the order of magnitudes.
template <class Bits, class Float, class Lost>
static inline Float odd(Float nearest, Lost lost) {
    Bits bits = bits_of<Bits>(nearest);
    if ((lost < 0 || lost > 0) && (bits & 1) == 0) {
        const bool outward = nearest == 0 || (lost > 0) == (nearest > 0);
        bits += outward ? (Bits)1 : (Bits)-1;
    }
    return bits_of<Float>(bits);
}

static inline float to_odd(double x) {
    const float nearest = (float)x;
    return odd<unsigned int>(nearest, x - (double)nearest);
}

// x + y rounded to odd. The rest of a sum is a number of the same format (Knuth's two-sum). Where x
// is a product that was exact, contracting it with its sum or difference changes nothing.
template <class Bits, class Float>
static inline Float odd_sum(Float x, Float y) {
    const Float sum = x + y;
    const Float y_part = sum - x;
    return odd<Bits>(sum, (x - (sum - y_part)) + (y - y_part));
}

// An integer as a double, rounded to odd. (No templates here: they'd be much of the header's cost.)
static inline double to_double(long long n) {
    return odd_sum<unsigned long long>((double)(n >> 32) * 0x1p32, (double)(unsigned int)n);
}
static inline double to_double(unsigned long long n) {
    return odd_sum<unsigned long long>((double)(n >> 32) * 0x1p32, (double)(unsigned int)n);
}

// A whole number, or an infinity or NaN, as an integer: the nearest where it doesn't fit. A NaN is
// 0 in up to 32 bits, in 64 the top bit alone.
static inline long long to_integer(float whole, long long low, long long high) {
    if (whole != whole) return 0;
    if (whole <= (float)low) return low;
    if (whole >= (float)high) return high;
    return (long long)whole;
}
static inline long long to_signed(float whole) {
    if (whole != whole) return LLONG_MIN;
    return to_integer(whole, LLONG_MIN, LLONG_MAX);
}
static inline unsigned long long to_unsigned(float whole) {
    if (whole != whole) return 1ull << 63;
    if (whole <= 0) return 0;
    if (whole >= 0x1p64f) return ULLONG_MAX;
    return (unsigned long long)whole;
}

struct Half {
    static constexpr unsigned short one = 0x3c00;
    static constexpr unsigned short infinity = 0x7c00;

#if defined(LEETK_HALF_INSTRUCTIONS)
    typedef float Floats __attribute__((vector_size(16)));
    typedef int Ints __attribute__((vector_size(16)));
    typedef short Shorts __attribute__((vector_size(16)));
    static inline float widen(unsigned short bits) {
        return __builtin_ia32_vcvtph2ps((Shorts)(Ints){bits, 0, 0, 0})[0];
    }
    static inline unsigned short narrow(float x) {
        const Shorts bits = (Shorts)__builtin_ia32_vcvtps2ph((Floats){x, 0, 0, 0}, 0);
        return x != x ? (unsigned short)0x7fff : (unsigned short)bits[0];
    }
#elif defined(LEETK_HALF_TYPE)
    static inline float widen(unsigned short bits) { return (float)bits_of<__fp16>(bits); }
    static inline unsigned short narrow(float x) {
        return x != x ? (unsigned short)0x7fff : bits_of<unsigned short>((__fp16)x);
    }
#else
    static inline float widen(unsigned short bits) {
        // Read as a float, exponent and significand are worth 2^112 times less.
        const unsigned int sign = (bits & 0x8000u) << 16;
        const unsigned int size = (bits & 0x7fffu) << 13;
        if (size >= 0x0f800000) return bits_of<float>(sign | size | 0x7f800000);
        return bits_of<float>(sign | bits_of<unsigned int>(bits_of<float>(size) * 0x1p112f));
    }
    static inline unsigned short narrow(float x) {
        const unsigned int bits = bits_of<unsigned int>(x);
        const unsigned int sign = bits >> 16 & 0x8000;
        unsigned int size = bits & 0x7fffffff;
        if (size > 0x7f800000) return 0x7fff;
        if (size >= 0x477ff000) return (unsigned short)(sign | infinity);
        if (size < 0x38800000) {
            // A denormal's unit, 2^-24, is that of floats from 1/2 to 1: the sum is rounded to it.
            const float aligned = bits_of<float>(size) + 0.5f;
            return (unsigned short)(sign | (bits_of<unsigned int>(aligned) - 0x3f000000));
        }
        size += 0xfff + (size >> 13 & 1);
        return (unsigned short)(sign | (size - 0x38000000) >> 13);
    }
#endif

    // As a program sees it: the device's NaN.
    static inline float value(unsigned short bits) {
        const float x = widen(bits);
        return x != x ? bits_of<float>(0x7fffffff) : x;
    }

    static inline float fused(float x, float y, float z) {
        return odd_sum<unsigned int>(x * y, z);
    }
};

struct Bfloat16 {
    static constexpr unsigned short one = 0x3f80;
    static constexpr unsigned short infinity = 0x7f80;

    static inline float widen(unsigned short bits) {
        return bits_of<float>((unsigned int)bits << 16);
    }
    static inline unsigned short narrow(float x) {
        const unsigned int bits = bits_of<unsigned int>(x);
        if (x != x) return 0x7fff;
        return (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
    }
    static inline float value(unsigned short bits) { return widen(bits); }

    // Beyond the range of floats there are products that count: in a double each is exact.
    static inline float fused(float x, float y, float z) {
        return to_odd(odd_sum<unsigned long long>((double)x * (double)y, (double)z));
    }
};

// The nearest 16 bits that are not beyond x: towards zero, down, up. Next to a number in magnitude
// stands the one whose bits are one more or less.
template <class Format>
static inline unsigned short narrow_rz(float x) {
    const unsigned short bits = Format::narrow(x);
    const bool beyond = __builtin_fabsf(Format::widen(bits)) > __builtin_fabsf(x);
    return (unsigned short)(beyond ? bits - 1 : bits);
}
template <class Format>
static inline unsigned short narrow_rd(float x) {
    const unsigned short bits = Format::narrow(x);
    if (!(Format::widen(bits) > x)) return bits;
    return (unsigned short)(bits & 0x8000 ? bits + 1 : bits - 1);
}
template <class Format>
static inline unsigned short narrow_ru(float x) {
    const unsigned short bits = Format::narrow(x);
    if (!(Format::widen(bits) < x)) return bits;
    return (unsigned short)(bits & 0x8000 ? bits - 1 : bits + 1);
}

// A NaN loses; of two zeros, alike but for the sign, the positive one is the greater.
static inline float greater(float x, float y) {
    if (x == y) return bits_of<float>(bits_of<unsigned int>(x) & bits_of<unsigned int>(y));
    return x > y || y != y ? x : y;
}
static inline float lesser(float x, float y) {
    if (x == y) return bits_of<float>(bits_of<unsigned int>(x) | bits_of<unsigned int>(y));
    return x < y || y != y ? x : y;
}

// To [0, 1] (_sat): a NaN becomes 0. To what isn't negative (_relu): a NaN stays one.
static inline float to_unit(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }
static inline float to_positive(float x) { return x <= 0 ? 0.0f : x; }

}  // namespace leetk

#endif
