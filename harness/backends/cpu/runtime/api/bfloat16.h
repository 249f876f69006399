// CUDA's __nv_bfloat16 and __nv_bfloat162: what only they have. What they share with half is in
// api/half_functions.h.
#ifndef LEETK_API_BFLOAT16_H
#define LEETK_API_BFLOAT16_H

#include "api/cache_hints.h"
#include "api/half.h"
#include "api/half_format.h"
#include "leetk/types.h"

#define LEETK_HALF __nv_bfloat16
#define LEETK_HALF2 __nv_bfloat162
#define LEETK_HALF_RAW __nv_bfloat16_raw
#define LEETK_HALF2_RAW __nv_bfloat162_raw
#define LEETK_OTHER __half
#define LEETK_FORMAT leetk::Bfloat16
#define LEETK_NUMBER Bfloat16Number
#if defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
#define LEETK_NO_CONVERSIONS
#endif
#if defined(__CUDA_NO_BFLOAT16_OPERATORS__)
#define LEETK_NO_OPERATORS
#endif
#if defined(__CUDA_NO_BFLOAT162_OPERATORS__)
#define LEETK_NO_OPERATORS2
#endif

#include "api/half_class.h"
#include "api/half_functions.h"

// ---- conversions: every name is written out, because the build reads off these headers what the
// ---- backend has

#if !defined(__CUDA_NO_HALF_CONVERSIONS__)
inline __half::__half(const __nv_bfloat16 other)
    : __x(leetk::Half::narrow(leetk::Bfloat16Number::number(other))) {}
#endif
#if !defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
inline __nv_bfloat16::__nv_bfloat16(const __half other)
    : __x(leetk::Bfloat16::narrow(leetk::HalfNumber::number(other))) {}
#endif

static inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
    return LEETK_OF::make(bits);
}
static inline __nv_bfloat16 __short_as_bfloat16(short bits) { return LEETK_OF::make(bits); }
static inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) { return LEETK_OF::bits(a); }
static inline short __bfloat16_as_short(__nv_bfloat16 a) { return (short)LEETK_OF::bits(a); }

static inline __nv_bfloat16 __double2bfloat16(double x) {
    return LEETK_OF::round(leetk::to_odd(x));
}
static inline __nv_bfloat16 __float2bfloat16(float x) { return LEETK_OF::round(x); }
static inline float __bfloat162float(__nv_bfloat16 a) { return LEETK_OF::number(a); }

static inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
    return __nv_bfloat162(x, y);
}
static inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
    return __nv_bfloat162(a, b);
}
static inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162(a, a); }
static inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
static inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
static inline __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162(a.x, a.x); }
static inline __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162(a.y, a.y); }
static inline __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
    return __nv_bfloat162(a.x, b.x);
}
static inline __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
    return __nv_bfloat162(a.y, b.y);
}
static inline __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
    return __nv_bfloat162(LEETK_OF::round(x), LEETK_OF::round(y));
}
static inline __nv_bfloat162 __float2bfloat162_rn(float x) {
    return __bfloat162bfloat162(LEETK_OF::round(x));
}
static inline __nv_bfloat162 __float22bfloat162_rn(float2 a) {
    return __floats2bfloat162_rn(a.x, a.y);
}
static inline float2 __bfloat1622float2(__nv_bfloat162 a) {
    return make_float2(__bfloat162float(a.x), __bfloat162float(a.y));
}

static inline signed char __bfloat162char_rz(__nv_bfloat16 a) {
    const float whole = __builtin_truncf(LEETK_OF::number(a));
    return (signed char)leetk::to_integer(whole, SCHAR_MIN, SCHAR_MAX);
}
static inline unsigned char __bfloat162uchar_rz(__nv_bfloat16 a) {
    const float whole = __builtin_truncf(LEETK_OF::number(a));
    return (unsigned char)leetk::to_integer(whole, 0, UCHAR_MAX);
}
LEETK_TO_INTEGER(short, leetk::to_integer(whole, SHRT_MIN, SHRT_MAX),
                 __bfloat162short_rn, __bfloat162short_rz,
                 __bfloat162short_rd, __bfloat162short_ru)
LEETK_TO_INTEGER(unsigned short, leetk::to_integer(whole, 0, USHRT_MAX),
                 __bfloat162ushort_rn, __bfloat162ushort_rz,
                 __bfloat162ushort_rd, __bfloat162ushort_ru)
LEETK_TO_INTEGER(int, leetk::to_integer(whole, INT_MIN, INT_MAX),
                 __bfloat162int_rn, __bfloat162int_rz,
                 __bfloat162int_rd, __bfloat162int_ru)
LEETK_TO_INTEGER(unsigned int, leetk::to_integer(whole, 0, UINT_MAX),
                 __bfloat162uint_rn, __bfloat162uint_rz,
                 __bfloat162uint_rd, __bfloat162uint_ru)
LEETK_TO_INTEGER(long long, leetk::to_signed(whole),
                 __bfloat162ll_rn, __bfloat162ll_rz,
                 __bfloat162ll_rd, __bfloat162ll_ru)
LEETK_TO_INTEGER(unsigned long long, leetk::to_unsigned(whole),
                 __bfloat162ull_rn, __bfloat162ull_rz,
                 __bfloat162ull_rd, __bfloat162ull_ru)

LEETK_FROM(float, value,
           __float2bfloat16_rn, __float2bfloat16_rz,
           __float2bfloat16_rd, __float2bfloat16_ru)
LEETK_FROM(short, leetk::to_odd((double)value),
           __short2bfloat16_rn, __short2bfloat16_rz,
           __short2bfloat16_rd, __short2bfloat16_ru)
LEETK_FROM(unsigned short, leetk::to_odd((double)value),
           __ushort2bfloat16_rn, __ushort2bfloat16_rz,
           __ushort2bfloat16_rd, __ushort2bfloat16_ru)
LEETK_FROM(int, leetk::to_odd((double)value),
           __int2bfloat16_rn, __int2bfloat16_rz,
           __int2bfloat16_rd, __int2bfloat16_ru)
LEETK_FROM(unsigned int, leetk::to_odd((double)value),
           __uint2bfloat16_rn, __uint2bfloat16_rz,
           __uint2bfloat16_rd, __uint2bfloat16_ru)
LEETK_FROM(long long, leetk::to_odd(leetk::to_double(value)),
           __ll2bfloat16_rn, __ll2bfloat16_rz,
           __ll2bfloat16_rd, __ll2bfloat16_ru)
LEETK_FROM(unsigned long long, leetk::to_odd(leetk::to_double(value)),
           __ull2bfloat16_rn, __ull2bfloat16_rz,
           __ull2bfloat16_rd, __ull2bfloat16_ru)
#undef LEETK_TO_INTEGER
#undef LEETK_FROM

#undef LEETK_OF
#undef LEETK_HALF
#undef LEETK_HALF2
#undef LEETK_HALF_RAW
#undef LEETK_HALF2_RAW
#undef LEETK_OTHER
#undef LEETK_FORMAT
#undef LEETK_NUMBER
#undef LEETK_NO_CONVERSIONS
#undef LEETK_NO_OPERATORS
#undef LEETK_NO_OPERATORS2

#endif
