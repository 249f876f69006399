// Arithmetic and conversions in the rounding modes _rz, _ru and _rd: one operation with the
// processor's rounding mode changed around it.
//
// The operands pass through volatile variables between the changes of mode, because the compiler
// doesn't know that an operation depends on the mode.
#include <fenv.h>

namespace {

template <class T>
inline T opaque(T x) {
    volatile T kept = x;
    return kept;
}

}  // namespace

#define LEETK_MODE(T, name, mode, parameters, ...) \
    T name parameters {                            \
        const int before = fegetround();           \
        fesetround(mode);                          \
        volatile T result = __VA_ARGS__;           \
        fesetround(before);                        \
        return result;                             \
    }
#define LEETK_MODES(T, name, parameters, ...)                        \
    LEETK_MODE(T, name##_rz, FE_TOWARDZERO, parameters, __VA_ARGS__) \
    LEETK_MODE(T, name##_ru, FE_UPWARD, parameters, __VA_ARGS__)     \
    LEETK_MODE(T, name##_rd, FE_DOWNWARD, parameters, __VA_ARGS__)

LEETK_MODES(float, __fadd, (float a, float b), opaque(a) + opaque(b))
LEETK_MODES(float, __fsub, (float a, float b), opaque(a) - opaque(b))
LEETK_MODES(float, __fmul, (float a, float b), opaque(a) * opaque(b))
LEETK_MODES(float, __fdiv, (float a, float b), opaque(a) / opaque(b))
LEETK_MODES(float, __frcp, (float a), opaque(1.0f) / opaque(a))
LEETK_MODES(float, __fsqrt, (float a), __builtin_sqrtf(opaque(a)))
LEETK_MODES(float, __fmaf, (float a, float b, float c),
            __builtin_fmaf(opaque(a), opaque(b), opaque(c)))
LEETK_MODES(float, __fmaf_ieee, (float a, float b, float c),
            __builtin_fmaf(opaque(a), opaque(b), opaque(c)))
LEETK_MODES(double, __dadd, (double a, double b), opaque(a) + opaque(b))
LEETK_MODES(double, __dsub, (double a, double b), opaque(a) - opaque(b))
LEETK_MODES(double, __dmul, (double a, double b), opaque(a) * opaque(b))
LEETK_MODES(double, __ddiv, (double a, double b), opaque(a) / opaque(b))
LEETK_MODES(double, __drcp, (double a), opaque(1.0) / opaque(a))
LEETK_MODES(double, __dsqrt, (double a), __builtin_sqrt(opaque(a)))
LEETK_MODES(double, __fma, (double a, double b, double c),
            __builtin_fma(opaque(a), opaque(b), opaque(c)))
LEETK_MODES(float, __double2float, (double x), (float)opaque(x))
LEETK_MODES(float, __int2float, (int x), (float)opaque(x))
LEETK_MODES(float, __uint2float, (unsigned int x), (float)opaque(x))
LEETK_MODES(float, __ll2float, (long long x), (float)opaque(x))
LEETK_MODES(float, __ull2float, (unsigned long long x), (float)opaque(x))
LEETK_MODES(double, __ll2double, (long long x), (double)opaque(x))
LEETK_MODES(double, __ull2double, (unsigned long long x), (double)opaque(x))
