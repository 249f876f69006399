// CUDA's floating-point intrinsics: arithmetic with a named rounding mode, and the fast functions.
//
// Operations of the _rn kind are never fused with a neighbour, whatever the compiler contracts
// elsewhere. Those of the kinds _rz, _ru and _rd change the rounding mode around one operation
// (api/rounding.cpp): exact, and slow. The fast functions take the route that the GPU takes
// (`__expf` is 2 to the power of x * log2(e), `__powf` of a negative base is NaN), with elementary
// steps that are about as coarse as the GPU's, and never coarser.
#ifndef LEETK_API_INTRINSICS_FLOAT_H
#define LEETK_API_INTRINSICS_FLOAT_H

#include "api/math.h"

namespace leetk {
// Hides how a value was made, so that the compiler can't contract it with what comes next.
template <class T>
static inline T rounded(T value) {
#if defined(__x86_64__)
    __asm__("" : "+x"(value));
#elif defined(__aarch64__)
    __asm__("" : "+w"(value));
#else
    volatile T kept = value;
    value = kept;
#endif
    return value;
}
}  // namespace leetk

// Every name is written out: the build reads off these headers what the backend has.
float __fadd_rz(float a, float b);
float __fadd_ru(float a, float b);
float __fadd_rd(float a, float b);
float __fsub_rz(float a, float b);
float __fsub_ru(float a, float b);
float __fsub_rd(float a, float b);
float __fmul_rz(float a, float b);
float __fmul_ru(float a, float b);
float __fmul_rd(float a, float b);
float __fdiv_rz(float a, float b);
float __fdiv_ru(float a, float b);
float __fdiv_rd(float a, float b);
float __frcp_rz(float a);
float __frcp_ru(float a);
float __frcp_rd(float a);
float __fsqrt_rz(float a);
float __fsqrt_ru(float a);
float __fsqrt_rd(float a);
float __fmaf_rz(float a, float b, float c);
float __fmaf_ru(float a, float b, float c);
float __fmaf_rd(float a, float b, float c);
float __fmaf_ieee_rz(float a, float b, float c);
float __fmaf_ieee_ru(float a, float b, float c);
float __fmaf_ieee_rd(float a, float b, float c);
double __dadd_rz(double a, double b);
double __dadd_ru(double a, double b);
double __dadd_rd(double a, double b);
double __dsub_rz(double a, double b);
double __dsub_ru(double a, double b);
double __dsub_rd(double a, double b);
double __dmul_rz(double a, double b);
double __dmul_ru(double a, double b);
double __dmul_rd(double a, double b);
double __ddiv_rz(double a, double b);
double __ddiv_ru(double a, double b);
double __ddiv_rd(double a, double b);
double __drcp_rz(double a);
double __drcp_ru(double a);
double __drcp_rd(double a);
double __dsqrt_rz(double a);
double __dsqrt_ru(double a);
double __dsqrt_rd(double a);
double __fma_rz(double a, double b, double c);
double __fma_ru(double a, double b, double c);
double __fma_rd(double a, double b, double c);

static inline float __fadd_rn(float a, float b) { return leetk::rounded(a + b); }
static inline float __fsub_rn(float a, float b) { return leetk::rounded(a - b); }
static inline float __fmul_rn(float a, float b) { return leetk::rounded(a * b); }
static inline float __fdiv_rn(float a, float b) { return leetk::rounded(a / b); }
static inline float __frcp_rn(float a) { return leetk::rounded(1.0f / a); }
static inline float __fsqrt_rn(float a) { return leetk::rounded(__builtin_sqrtf(a)); }
static inline float __frsqrt_rn(float a) { return leetk::rounded(rsqrtf(a)); }
static inline float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static inline float __fmaf_ieee_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static inline double __dadd_rn(double a, double b) { return leetk::rounded(a + b); }
static inline double __dsub_rn(double a, double b) { return leetk::rounded(a - b); }
static inline double __dmul_rn(double a, double b) { return leetk::rounded(a * b); }
static inline double __ddiv_rn(double a, double b) { return leetk::rounded(a / b); }
static inline double __drcp_rn(double a) { return leetk::rounded(1.0 / a); }
static inline double __dsqrt_rn(double a) { return leetk::rounded(__builtin_sqrt(a)); }
static inline double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }

static inline float __fdividef(float a, float b) {
    // The GPU multiplies by a reciprocal, which is 0 for divisors beyond 2^126.
    const float size = __builtin_fabsf(b);
    return size > 0x1p126f && size <= __FLT_MAX__ ? a * 0.0f : a / b;
}

namespace leetk {
// What the special function unit gives of a number of size 1: on a grid. An H200's errors are up to
// 2^-21.2 for sines of small angles and 2^-23 for logarithms near 0; this one's are less.
static inline float on_grid(double value, double steps) {
    return float(__builtin_rint(value * steps) / steps);
}
// The unit takes its angle in turns, which is rounded to a float: of a large angle little is left.
static inline double angle_in_turns(float x) {
    const double turns = x * 0.159154943f;
    return 6.283185307179586 * (turns - __builtin_rint(turns));
}
}  // namespace leetk

// C linkage and noexcept, because glibc's <math.h> declares its own internals by these names.
extern "C" {
inline float __expf(float x) noexcept { return __builtin_exp2f(x * 1.44269504f); }
inline float __exp10f(float x) noexcept { return __builtin_exp2f(x * 3.32192809f); }
inline float __log2f(float x) noexcept {
    const float exact = __builtin_log2f(x);
    return exact > -1.0f && exact < 1.0f ? leetk::on_grid(exact, 0x1p23) : exact;
}
inline float __logf(float x) noexcept { return __log2f(x) * 0.693147181f; }
inline float __log10f(float x) noexcept { return __log2f(x) * 0.301029996f; }
inline float __powf(float x, float y) noexcept { return __builtin_exp2f(y * __log2f(x)); }
inline float __sinf(float x) noexcept {
    return leetk::on_grid(__builtin_sin(leetk::angle_in_turns(x)), 0x1p22);
}
inline float __cosf(float x) noexcept {
    return leetk::on_grid(__builtin_cos(leetk::angle_in_turns(x)), 0x1p22);
}
inline float __tanf(float x) noexcept { return __fdividef(__sinf(x), __cosf(x)); }
inline float __tanhf(float x) noexcept { return __builtin_tanhf(x); }
inline void __sincosf(float x, float* s, float* c) noexcept {
    *s = __sinf(x);
    *c = __cosf(x);
}
}

static inline float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

#endif
