// CUDA's half and half2: what only they have. What they share with bfloat16 is in
// api/half_functions.h.
#ifndef LEETK_API_HALF_H
#define LEETK_API_HALF_H

#include "api/cache_hints.h"
#include "api/half_format.h"
#include "api/warp.h"
#include "leetk/types.h"

#define LEETK_HALF __half
#define LEETK_HALF2 __half2
#define LEETK_HALF_RAW __half_raw
#define LEETK_HALF2_RAW __half2_raw
#define LEETK_OTHER __nv_bfloat16
#define LEETK_FORMAT leetk::Half
#define LEETK_NUMBER HalfNumber
#if defined(__CUDA_NO_HALF_CONVERSIONS__)
#define LEETK_NO_CONVERSIONS
#endif
#if defined(__CUDA_NO_HALF_OPERATORS__)
#define LEETK_NO_OPERATORS
#endif
#if defined(__CUDA_NO_HALF2_OPERATORS__)
#define LEETK_NO_OPERATORS2
#endif

#include "api/half_class.h"
#include "api/half_functions.h"

// ---- conversions: every name is written out, because the build reads off these headers what the
// ---- backend has

static inline __half __ushort_as_half(unsigned short bits) { return LEETK_OF::make(bits); }
static inline __half __short_as_half(short bits) { return LEETK_OF::make(bits); }
static inline unsigned short __half_as_ushort(__half a) { return LEETK_OF::bits(a); }
static inline short __half_as_short(__half a) { return (short)LEETK_OF::bits(a); }

static inline __half __double2half(double x) { return LEETK_OF::round(leetk::to_odd(x)); }
static inline __half __float2half(float x) { return LEETK_OF::round(x); }
static inline float __half2float(__half a) { return LEETK_OF::value(LEETK_OF::bits(a)); }

static inline __half2 make_half2(__half x, __half y) { return __half2(x, y); }
static inline __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
static inline __half2 __half2half2(__half a) { return __half2(a, a); }
static inline __half __low2half(__half2 a) { return a.x; }
static inline __half __high2half(__half2 a) { return a.y; }
static inline __half2 __low2half2(__half2 a) { return __half2(a.x, a.x); }
static inline __half2 __high2half2(__half2 a) { return __half2(a.y, a.y); }
static inline __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
static inline __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
static inline __half2 __floats2half2_rn(float x, float y) {
    return __half2(LEETK_OF::round(x), LEETK_OF::round(y));
}
static inline __half2 __float2half2_rn(float x) { return __half2half2(LEETK_OF::round(x)); }
static inline __half2 __float22half2_rn(float2 a) { return __floats2half2_rn(a.x, a.y); }
static inline float2 __half22float2(__half2 a) {
    return make_float2(__half2float(a.x), __half2float(a.y));
}

static inline signed char __half2char_rz(__half a) {
    const float whole = __builtin_truncf(LEETK_OF::number(a));
    return (signed char)leetk::to_integer(whole, SCHAR_MIN, SCHAR_MAX);
}
static inline unsigned char __half2uchar_rz(__half a) {
    const float whole = __builtin_truncf(LEETK_OF::number(a));
    return (unsigned char)leetk::to_integer(whole, 0, UCHAR_MAX);
}
LEETK_TO_INTEGER(short, leetk::to_integer(whole, SHRT_MIN, SHRT_MAX),
                 __half2short_rn, __half2short_rz, __half2short_rd, __half2short_ru)
LEETK_TO_INTEGER(unsigned short, leetk::to_integer(whole, 0, USHRT_MAX),
                 __half2ushort_rn, __half2ushort_rz, __half2ushort_rd, __half2ushort_ru)
LEETK_TO_INTEGER(int, leetk::to_integer(whole, INT_MIN, INT_MAX),
                 __half2int_rn, __half2int_rz, __half2int_rd, __half2int_ru)
LEETK_TO_INTEGER(unsigned int, leetk::to_integer(whole, 0, UINT_MAX),
                 __half2uint_rn, __half2uint_rz, __half2uint_rd, __half2uint_ru)
LEETK_TO_INTEGER(long long, leetk::to_signed(whole),
                 __half2ll_rn, __half2ll_rz, __half2ll_rd, __half2ll_ru)
LEETK_TO_INTEGER(unsigned long long, leetk::to_unsigned(whole),
                 __half2ull_rn, __half2ull_rz, __half2ull_rd, __half2ull_ru)

LEETK_FROM(float, value, __float2half_rn, __float2half_rz, __float2half_rd, __float2half_ru)
LEETK_FROM(short, leetk::to_odd((double)value),
           __short2half_rn, __short2half_rz, __short2half_rd, __short2half_ru)
LEETK_FROM(unsigned short, leetk::to_odd((double)value),
           __ushort2half_rn, __ushort2half_rz, __ushort2half_rd, __ushort2half_ru)
LEETK_FROM(int, leetk::to_odd((double)value),
           __int2half_rn, __int2half_rz, __int2half_rd, __int2half_ru)
LEETK_FROM(unsigned int, leetk::to_odd((double)value),
           __uint2half_rn, __uint2half_rz, __uint2half_rd, __uint2half_ru)
LEETK_FROM(long long, leetk::to_odd(leetk::to_double(value)),
           __ll2half_rn, __ll2half_rz, __ll2half_rd, __ll2half_ru)
LEETK_FROM(unsigned long long, leetk::to_odd(leetk::to_double(value)),
           __ull2half_rn, __ull2half_rz, __ull2half_rd, __ull2half_ru)
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
