// CUDA's math functions that no C library has: sinpi, the inverses of erf and of the normal
// distribution, norms, and the modified Bessel functions. Computed in double precision; the forms
// for float round the result.
//
// Written with the compiler's builtins alone: <math.h> would be most of this file's compile time.
#include "api/libc.h"

namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double sqrt_pi = 1.77245385090551602730;
constexpr double sqrt_2 = 1.41421356237309504880;
// The root of 1/2 and what its rounding leaves out.
constexpr double sqrt_half = 0.70710678118654752440;
constexpr double sqrt_half_low = -4.8336466567264567e-17;

double infinity() { return __builtin_inf(); }
double not_a_number() { return __builtin_nan(""); }

// --- trigonometry of multiples of pi -----------------------------------------------------------

// The quadrant of pi*|x| (0 to 3) and the rest, between -1/4 and 1/4, of x in half turns.
int reduce(double x, double* rest) {
    const double turn = __builtin_fmod(__builtin_fabs(x), 2.0);
    const double quarter = __builtin_rint(2.0 * turn);
    *rest = turn - 0.5 * quarter;
    return int(quarter) & 3;
}

double sine_pi(double x) {
    if (!__builtin_isfinite(x)) return not_a_number();
    double rest;
    const int quadrant = reduce(x, &rest);
    double value = quadrant & 1 ? __builtin_cos(pi * rest) : __builtin_sin(pi * rest);
    if (quadrant & 2) value = -value;
    if (value == 0.0) return __builtin_copysign(0.0, x);
    return x < 0.0 ? -value : value;
}

double cosine_pi(double x) {
    if (!__builtin_isfinite(x)) return not_a_number();
    double rest;
    const int quadrant = reduce(x, &rest);
    const double value = quadrant & 1 ? __builtin_sin(pi * rest) : __builtin_cos(pi * rest);
    if (value == 0.0) return 0.0;
    return quadrant == 1 || quadrant == 2 ? -value : value;
}

// --- the error function's inverses -------------------------------------------------------------

// Halley's iteration on erf(x) = y, for |y| <= 1/2. Starts from the first two terms of the series.
double inverse_small(double y) {
    double x = 0.5 * sqrt_pi * y * (1.0 + pi / 12.0 * y * y);
    for (int i = 0; i < 3; ++i) {
        const double slope = 2.0 / sqrt_pi * __builtin_exp(-x * x);
        const double step = (__builtin_erf(x) - y) / slope;
        x -= step / (1.0 + x * step);
    }
    return x;
}

// Halley's iteration on erfc(x) = z, for 0 < z <= 1/2. Starts from Abramowitz and Stegun 26.2.22.
double inverse_tail(double z) {
    const double t = __builtin_sqrt(-2.0 * __builtin_log(0.5 * z));
    double x = (t - (2.30753 + 0.27061 * t) / (1.0 + t * (0.99229 + 0.04481 * t))) / sqrt_2;
    for (int i = 0; i < 3; ++i) {
        const double slope = -2.0 / sqrt_pi * __builtin_exp(-x * x);
        const double step = (__builtin_erfc(x) - z) / slope;
        x -= step / (1.0 + x * step);
    }
    return x;
}

double inverse_erf(double y) {
    const double size = __builtin_fabs(y);
    if (size != size || size > 1.0) return not_a_number();
    if (y == 0.0) return y;
    if (size == 1.0) return __builtin_copysign(infinity(), y);
    return __builtin_copysign(size <= 0.5 ? inverse_small(size) : inverse_tail(1.0 - size), y);
}

double inverse_erfc(double z) {
    if (z != z || z < 0.0 || z > 2.0) return not_a_number();
    if (z == 0.0) return infinity();
    if (z == 2.0) return -infinity();
    if (z < 0.5) return inverse_tail(z);
    if (z > 1.5) return -inverse_tail(2.0 - z);
    return inverse_erf(1.0 - z);
}

// exp(x*x), with the square's rounding error taken into account.
double exp_square(double x) {
    const double square = x * x;
    const double rest = __builtin_fma(x, x, -square);
    const double value = __builtin_exp(square);
    return __builtin_isfinite(value) ? value + value * rest : value;
}

// exp(x*x) * erfc(x). For large x by the continued fraction of erfc, Abramowitz and Stegun 7.1.14.
double scaled_erfc(double x) {
    if (x != x) return x;
    if (x < 0.0) return 2.0 * exp_square(x) - scaled_erfc(-x);
    if (x < 5.0) return exp_square(x) * __builtin_erfc(x);
    double fraction = x;
    for (int k = 50; k > 0; --k) fraction = x + 0.5 * k / fraction;
    return 1.0 / (sqrt_pi * fraction);
}

double normal_cdf(double x) {
    const double argument = -x * sqrt_half;
    if (!__builtin_isfinite(argument) || __builtin_fabs(argument) > 40.0)
        return 0.5 * __builtin_erfc(argument);
    const double rest = __builtin_fma(-x, sqrt_half, -argument) - x * sqrt_half_low;
    const double slope = -2.0 / sqrt_pi * __builtin_exp(-argument * argument);
    return 0.5 * (__builtin_erfc(argument) + slope * rest);
}

double inverse_normal_cdf(double p) { return -sqrt_2 * inverse_erfc(2.0 * p); }

// --- modified Bessel functions -----------------------------------------------------------------

// I of order 0 or 1 for x >= 0: the power series, and for large x the asymptotic one (Abramowitz
// and Stegun 9.6.10 and 9.7.1).
double bessel(int order, double x) {
    if (x < 30.0) {
        const double square = 0.25 * x * x;
        double term = order ? 0.5 * x : 1.0, sum = term;
        for (int k = 1; term > 1e-18 * sum; ++k) {
            term *= square / (double(k) * (k + order));
            sum += term;
        }
        return sum;
    }
    if (x == infinity()) return x;
    double term = 1.0, sum = 1.0;
    for (int k = 1; k < 40; ++k) {
        const double odd = 2.0 * k - 1.0;
        term *= (odd * odd - 4.0 * order) / (8.0 * x * k);
        sum += term;
        if (__builtin_fabs(term) < 1e-17 * sum) break;
    }
    const double half = __builtin_exp(0.5 * x);
    return half * (sum / __builtin_sqrt(2.0 * pi * x)) * half;
}

double bessel_i0(double x) { return x != x ? x : bessel(0, __builtin_fabs(x)); }
double bessel_i1(double x) {
    return x != x ? x : __builtin_copysign(bessel(1, __builtin_fabs(x)), x);
}

// --- norms -------------------------------------------------------------------------------------

// The root of the sum of squares, scaled by a power of two so that no square over- or underflows.
template <class T>
double length(int n, const T* v) {
    double most = 0.0;
    bool nan = false;
    for (int i = 0; i < n; ++i) {
        const double size = __builtin_fabs(double(v[i]));
        if (size != size) nan = true;
        if (size > most) most = size;
    }
    if (most == infinity()) return most;
    if (nan) return not_a_number();
    if (most == 0.0) return 0.0;
    int exponent;
    __builtin_frexp(most, &exponent);
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        const double scaled = __builtin_ldexp(double(v[i]), -exponent);
        sum += scaled * scaled;
    }
    return __builtin_ldexp(__builtin_sqrt(sum), exponent);
}

}  // namespace

// Both precisions of a function of one argument.
#define LEETK_BOTH(name, compute)                \
    double name(double x) { return compute(x); } \
    float name##f(float x) { return (float)compute(x); }

#if !defined(LEETK_LIBC_HAS_SINPI)
LEETK_BOTH(sinpi, sine_pi)
LEETK_BOTH(cospi, cosine_pi)
#endif
LEETK_BOTH(rcbrt, 1.0 / __builtin_cbrt)
LEETK_BOTH(erfinv, inverse_erf)
LEETK_BOTH(erfcinv, inverse_erfc)
LEETK_BOTH(erfcx, scaled_erfc)
LEETK_BOTH(normcdf, normal_cdf)
LEETK_BOTH(normcdfinv, inverse_normal_cdf)
LEETK_BOTH(cyl_bessel_i0, bessel_i0)
LEETK_BOTH(cyl_bessel_i1, bessel_i1)

void sincospi(double x, double* s, double* c) {
    *s = sine_pi(x);
    *c = cosine_pi(x);
}
void sincospif(float x, float* s, float* c) {
    *s = (float)sine_pi(x);
    *c = (float)cosine_pi(x);
}

double rhypot(double x, double y) { return 1.0 / __builtin_hypot(x, y); }
float rhypotf(float x, float y) { return (float)(1.0 / __builtin_hypot(x, y)); }
double norm(int n, const double* v) { return length(n, v); }
float normf(int n, const float* v) { return (float)length(n, v); }
double rnorm(int n, const double* v) { return 1.0 / length(n, v); }
float rnormf(int n, const float* v) { return (float)(1.0 / length(n, v)); }

double norm3d(double a, double b, double c) {
    const double v[] = {a, b, c};
    return length(3, v);
}
double norm4d(double a, double b, double c, double d) {
    const double v[] = {a, b, c, d};
    return length(4, v);
}
double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
double rnorm4d(double a, double b, double c, double d) { return 1.0 / norm4d(a, b, c, d); }
float norm3df(float a, float b, float c) { return (float)norm3d(a, b, c); }
float norm4df(float a, float b, float c, float d) { return (float)norm4d(a, b, c, d); }
float rnorm3df(float a, float b, float c) { return (float)(1.0 / norm3d(a, b, c)); }
float rnorm4df(float a, float b, float c, float d) { return (float)(1.0 / norm4d(a, b, c, d)); }
