// CUDA's math functions beyond the C and C++ libraries', and the overloads that CUDA adds.
//
// The overload sets are CUDA's own, so that a call is ambiguous here exactly where nvcc calls it
// ambiguous (`max(size_t, int)`, `max(int, float)`) and converts where nvcc converts. sqrt(float),
// abs(float), pow(float, int) and the rest of <cmath> come from the C++ library, as under nvcc.
// Results are correctly rounded or within an ulp or two, as on a GPU, not equal bit for bit.
#ifndef LEETK_API_MATH_H
#define LEETK_API_MATH_H

#include "api/libc.h"
#include "api/standard.h"

#if !defined(LEETK_LIBC_HAS_SINPI)
double sinpi(double x);
float sinpif(float x);
double cospi(double x);
float cospif(float x);
#endif
#if !defined(LEETK_LIBC_HAS_RSQRT)
static inline double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
static inline float rsqrtf(float x) { return (float)(1.0 / __builtin_sqrt((double)x)); }
#endif
#if defined(__APPLE__)
static inline double exp10(double x) { return __exp10(x); }
static inline float exp10f(float x) { return __exp10f(x); }
static inline void sincos(double x, double* s, double* c) { __sincos(x, s, c); }
static inline void sincosf(float x, float* s, float* c) { __sincosf(x, s, c); }
static inline float j0f(float x) { return (float)::j0((double)x); }
static inline float j1f(float x) { return (float)::j1((double)x); }
static inline float jnf(int n, float x) { return (float)::jn(n, (double)x); }
static inline float y0f(float x) { return (float)::y0((double)x); }
static inline float y1f(float x) { return (float)::y1((double)x); }
static inline float ynf(int n, float x) { return (float)::yn(n, (double)x); }
#endif

void sincospi(double x, double* s, double* c);
void sincospif(float x, float* s, float* c);
double rcbrt(double x);
float rcbrtf(float x);
double rhypot(double x, double y);
float rhypotf(float x, float y);
double norm(int n, const double* v);
float normf(int n, const float* v);
double norm3d(double a, double b, double c);
float norm3df(float a, float b, float c);
double norm4d(double a, double b, double c, double d);
float norm4df(float a, float b, float c, float d);
double rnorm(int n, const double* v);
float rnormf(int n, const float* v);
double rnorm3d(double a, double b, double c);
float rnorm3df(float a, float b, float c);
double rnorm4d(double a, double b, double c, double d);
float rnorm4df(float a, float b, float c, float d);
double erfinv(double x);
float erfinvf(float x);
double erfcinv(double x);
float erfcinvf(float x);
double erfcx(double x);
float erfcxf(float x);
double normcdf(double x);
float normcdff(float x);
double normcdfinv(double x);
float normcdfinvf(float x);
double cyl_bessel_i0(double x);
float cyl_bessel_i0f(float x);
double cyl_bessel_i1(double x);
float cyl_bessel_i1f(float x);

static inline float fdividef(float a, float b) { return a / b; }
static inline double fdivide(double a, double b) { return a / b; }

// --- overloads for float -----------------------------------------------------------------------

static inline float exp10(float x) { return exp10f(x); }
static inline float rsqrt(float x) { return rsqrtf(x); }
static inline float rcbrt(float x) { return rcbrtf(x); }
static inline float sinpi(float x) { return sinpif(x); }
static inline float cospi(float x) { return cospif(x); }
static inline void sincospi(float x, float* s, float* c) { sincospif(x, s, c); }
static inline void sincos(float x, float* s, float* c) { sincosf(x, s, c); }
static inline float j0(float x) { return j0f(x); }
static inline float j1(float x) { return j1f(x); }
static inline float jn(int n, float x) { return jnf(n, x); }
static inline float y0(float x) { return y0f(x); }
static inline float y1(float x) { return y1f(x); }
static inline float yn(int n, float x) { return ynf(n, x); }
static inline float erfinv(float x) { return erfinvf(x); }
static inline float erfcinv(float x) { return erfcinvf(x); }
static inline float erfcx(float x) { return erfcxf(x); }
static inline float normcdf(float x) { return normcdff(x); }
static inline float normcdfinv(float x) { return normcdfinvf(x); }
static inline float cyl_bessel_i0(float x) { return cyl_bessel_i0f(x); }
static inline float cyl_bessel_i1(float x) { return cyl_bessel_i1f(x); }
static inline double copysign(double x, float s) { return ::copysign(x, (double)s); }
static inline double copysign(float x, double s) { return ::copysign((double)x, s); }

// --- min and max -------------------------------------------------------------------------------

// The C library's functions, inline: a NaN loses, and -0 is less than +0 (IEEE 754-2019's
// minimumNumber; the library leaves the sign of zero open). Where one isn't inlined, the library's
// is called.
#define LEETK_FMIN_FMAX(T, fmin, fmax)                                    \
    extern inline __attribute__((gnu_inline)) T fmin(T a, T b) noexcept { \
        if (a == b) return __builtin_signbit(a) ? a : b;                  \
        return a < b || b != b ? a : b;                                   \
    }                                                                     \
    extern inline __attribute__((gnu_inline)) T fmax(T a, T b) noexcept { \
        if (a == b) return __builtin_signbit(a) ? b : a;                  \
        return a > b || b != b ? a : b;                                   \
    }
extern "C" {
LEETK_FMIN_FMAX(float, fminf, fmaxf)
LEETK_FMIN_FMAX(double, fmin, fmax)
}
#undef LEETK_FMIN_FMAX

#define LEETK_MINMAX(R, A, B)                                           \
    static inline R min(A a, B b) { return (R)a < (R)b ? (R)a : (R)b; } \
    static inline R max(A a, B b) { return (R)a > (R)b ? (R)a : (R)b; }
#define LEETK_MINMAX_INTEGER(S, U) \
    LEETK_MINMAX(S, S, S)          \
    LEETK_MINMAX(U, U, U)          \
    LEETK_MINMAX(U, S, U)          \
    LEETK_MINMAX(U, U, S)
#define LEETK_MINMAX_FLOATING(R, A, B, fmin, fmax)             \
    static inline R min(A a, B b) { return fmin((R)a, (R)b); } \
    static inline R max(A a, B b) { return fmax((R)a, (R)b); }
LEETK_MINMAX_INTEGER(int, unsigned int)
LEETK_MINMAX_INTEGER(long, unsigned long)
LEETK_MINMAX_INTEGER(long long, unsigned long long)
LEETK_MINMAX_FLOATING(float, float, float, fminf, fmaxf)
LEETK_MINMAX_FLOATING(double, double, double, ::fmin, ::fmax)
LEETK_MINMAX_FLOATING(double, float, double, ::fmin, ::fmax)
LEETK_MINMAX_FLOATING(double, double, float, ::fmin, ::fmax)
#undef LEETK_MINMAX
#undef LEETK_MINMAX_INTEGER
#undef LEETK_MINMAX_FLOATING

static inline unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
static inline unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
static inline long long llmin(long long a, long long b) { return min(a, b); }
static inline long long llmax(long long a, long long b) { return max(a, b); }
static inline unsigned long long ullmin(unsigned long long a, unsigned long long b) {
    return min(a, b);
}
static inline unsigned long long ullmax(unsigned long long a, unsigned long long b) {
    return max(a, b);
}

#endif
