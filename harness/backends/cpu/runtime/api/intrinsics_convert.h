// CUDA's conversions with a named rounding mode, and the bit casts.
//
// A float that doesn't fit an integer becomes the nearest one that does, as the GPU's instruction
// has it; a NaN becomes 0 where a float turns into 32 bits, otherwise the sign bit alone. (A plain
// C++ cast is left to the host compiler, which may give something else in those two cases.)
#ifndef LEETK_API_INTRINSICS_CONVERT_H
#define LEETK_API_INTRINSICS_CONVERT_H

#include "api/standard.h"

namespace leetk {

template <class To, class From>
static inline To bits_of(From value) {
    static_assert(sizeof(To) == sizeof(From), "a bit cast keeps the size");
    To result;
    __builtin_memcpy(&result, &value, sizeof result);
    return result;
}

// `value` is whole. `Low` and `High` are the type's ends.
template <class Integer, class Float>
static inline Integer to_integer(Float value, Integer low, Integer high) {
    constexpr bool zero_for_nan = sizeof(Float) == 4 && sizeof(Integer) == 4;
    constexpr Integer top_bit = (Integer)(1ull << (sizeof(Integer) * 8 - 1));
    if (value != value) return zero_for_nan ? Integer(0) : top_bit;
    if (value <= (Float)low) return low;
    if (value >= (Float)high) return high;
    return (Integer)value;
}

}  // namespace leetk

// Every name is written out: the build reads off these headers what the backend has.
#define LEETK_TO_INTEGER(name, From, To, whole, low, high) \
    static inline To name(From x) { return leetk::to_integer<To>(whole(x), low, high); }
LEETK_TO_INTEGER(__float2int_rn, float, int, __builtin_rintf, INT_MIN, INT_MAX)
LEETK_TO_INTEGER(__float2int_rz, float, int, __builtin_truncf, INT_MIN, INT_MAX)
LEETK_TO_INTEGER(__float2int_ru, float, int, __builtin_ceilf, INT_MIN, INT_MAX)
LEETK_TO_INTEGER(__float2int_rd, float, int, __builtin_floorf, INT_MIN, INT_MAX)
LEETK_TO_INTEGER(__float2uint_rn, float, unsigned int, __builtin_rintf, 0u, UINT_MAX)
LEETK_TO_INTEGER(__float2uint_rz, float, unsigned int, __builtin_truncf, 0u, UINT_MAX)
LEETK_TO_INTEGER(__float2uint_ru, float, unsigned int, __builtin_ceilf, 0u, UINT_MAX)
LEETK_TO_INTEGER(__float2uint_rd, float, unsigned int, __builtin_floorf, 0u, UINT_MAX)
LEETK_TO_INTEGER(__float2ll_rn, float, long long, __builtin_rintf, LLONG_MIN, LLONG_MAX)
LEETK_TO_INTEGER(__float2ll_rz, float, long long, __builtin_truncf, LLONG_MIN, LLONG_MAX)
LEETK_TO_INTEGER(__float2ll_ru, float, long long, __builtin_ceilf, LLONG_MIN, LLONG_MAX)
LEETK_TO_INTEGER(__float2ll_rd, float, long long, __builtin_floorf, LLONG_MIN, LLONG_MAX)
LEETK_TO_INTEGER(__float2ull_rn, float, unsigned long long, __builtin_rintf, 0ull, ULLONG_MAX)
LEETK_TO_INTEGER(__float2ull_rz, float, unsigned long long, __builtin_truncf, 0ull, ULLONG_MAX)
LEETK_TO_INTEGER(__float2ull_ru, float, unsigned long long, __builtin_ceilf, 0ull, ULLONG_MAX)
LEETK_TO_INTEGER(__float2ull_rd, float, unsigned long long, __builtin_floorf, 0ull, ULLONG_MAX)
LEETK_TO_INTEGER(__double2int_rn, double, int, __builtin_rint, INT_MIN, INT_MAX)
LEETK_TO_INTEGER(__double2int_rz, double, int, __builtin_trunc, INT_MIN, INT_MAX)
LEETK_TO_INTEGER(__double2int_ru, double, int, __builtin_ceil, INT_MIN, INT_MAX)
LEETK_TO_INTEGER(__double2int_rd, double, int, __builtin_floor, INT_MIN, INT_MAX)
LEETK_TO_INTEGER(__double2uint_rn, double, unsigned int, __builtin_rint, 0u, UINT_MAX)
LEETK_TO_INTEGER(__double2uint_rz, double, unsigned int, __builtin_trunc, 0u, UINT_MAX)
LEETK_TO_INTEGER(__double2uint_ru, double, unsigned int, __builtin_ceil, 0u, UINT_MAX)
LEETK_TO_INTEGER(__double2uint_rd, double, unsigned int, __builtin_floor, 0u, UINT_MAX)
LEETK_TO_INTEGER(__double2ll_rn, double, long long, __builtin_rint, LLONG_MIN, LLONG_MAX)
LEETK_TO_INTEGER(__double2ll_rz, double, long long, __builtin_trunc, LLONG_MIN, LLONG_MAX)
LEETK_TO_INTEGER(__double2ll_ru, double, long long, __builtin_ceil, LLONG_MIN, LLONG_MAX)
LEETK_TO_INTEGER(__double2ll_rd, double, long long, __builtin_floor, LLONG_MIN, LLONG_MAX)
LEETK_TO_INTEGER(__double2ull_rn, double, unsigned long long, __builtin_rint, 0ull, ULLONG_MAX)
LEETK_TO_INTEGER(__double2ull_rz, double, unsigned long long, __builtin_trunc, 0ull, ULLONG_MAX)
LEETK_TO_INTEGER(__double2ull_ru, double, unsigned long long, __builtin_ceil, 0ull, ULLONG_MAX)
LEETK_TO_INTEGER(__double2ull_rd, double, unsigned long long, __builtin_floor, 0ull, ULLONG_MAX)
#undef LEETK_TO_INTEGER

static inline float __double2float_rn(double x) { return (float)x; }
float __double2float_rz(double x);
float __double2float_ru(double x);
float __double2float_rd(double x);
static inline float __int2float_rn(int x) { return (float)x; }
float __int2float_rz(int x);
float __int2float_ru(int x);
float __int2float_rd(int x);
static inline float __uint2float_rn(unsigned int x) { return (float)x; }
float __uint2float_rz(unsigned int x);
float __uint2float_ru(unsigned int x);
float __uint2float_rd(unsigned int x);
static inline float __ll2float_rn(long long x) { return (float)x; }
float __ll2float_rz(long long x);
float __ll2float_ru(long long x);
float __ll2float_rd(long long x);
static inline float __ull2float_rn(unsigned long long x) { return (float)x; }
float __ull2float_rz(unsigned long long x);
float __ull2float_ru(unsigned long long x);
float __ull2float_rd(unsigned long long x);
static inline double __ll2double_rn(long long x) { return (double)x; }
double __ll2double_rz(long long x);
double __ll2double_ru(long long x);
double __ll2double_rd(long long x);
static inline double __ull2double_rn(unsigned long long x) { return (double)x; }
double __ull2double_rz(unsigned long long x);
double __ull2double_ru(unsigned long long x);
double __ull2double_rd(unsigned long long x);
static inline double __int2double_rn(int x) { return x; }
static inline double __uint2double_rn(unsigned int x) { return x; }

static inline int __float_as_int(float x) { return leetk::bits_of<int>(x); }
static inline unsigned int __float_as_uint(float x) { return leetk::bits_of<unsigned int>(x); }
static inline float __int_as_float(int x) { return leetk::bits_of<float>(x); }
static inline float __uint_as_float(unsigned int x) { return leetk::bits_of<float>(x); }
static inline long long __double_as_longlong(double x) { return leetk::bits_of<long long>(x); }
static inline double __longlong_as_double(long long x) { return leetk::bits_of<double>(x); }
static inline int __double2hiint(double x) { return (int)(leetk::bits_of<long long>(x) >> 32); }
static inline int __double2loint(double x) { return (int)leetk::bits_of<long long>(x); }
static inline double __hiloint2double(int high, int low) {
    return leetk::bits_of<double>(((long long)high << 32) | (unsigned int)low);
}

#endif
