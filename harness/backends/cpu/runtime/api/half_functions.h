// The functions and operators that half and bfloat16 have under the same names.
//
// Results are the nearest 16 bits to the exact ones (api/half_format.h), those of hexp, hsin and
// kin as well; a GPU's htanh and what is called _approx are less accurate. An operator rounds what
// it returns: where nvcc fuses `a * b + c` into one operation, the last bit may differ, which
// __hfma and the _rn functions avoid.
//
// Included once for each format, after api/half_class.h and with its macros.
#if defined(LEETK_HALF)

#define LEETK_OF leetk::LEETK_NUMBER

// ---- of one to three numbers: `value`, made of them as floats, is what is rounded ---------------

#define LEETK_UNARY(name, name2, value)                       \
    static inline LEETK_HALF name(LEETK_HALF a) {             \
        const float x = LEETK_OF::number(a);                  \
        return LEETK_OF::round(value);                        \
    }                                                         \
    static inline LEETK_HALF2 name2(LEETK_HALF2 a) {          \
        float x = LEETK_OF::number(a.x);                      \
        const unsigned short low = LEETK_OF::narrow(value);   \
        x = LEETK_OF::number(a.y);                            \
        return LEETK_OF::make2(low, LEETK_OF::narrow(value)); \
    }
#define LEETK_BINARY(name, name2, value)                            \
    static inline LEETK_HALF name(LEETK_HALF a, LEETK_HALF b) {     \
        const float x = LEETK_OF::number(a);                        \
        const float y = LEETK_OF::number(b);                        \
        return LEETK_OF::round(value);                              \
    }                                                               \
    static inline LEETK_HALF2 name2(LEETK_HALF2 a, LEETK_HALF2 b) { \
        float x = LEETK_OF::number(a.x);                            \
        float y = LEETK_OF::number(b.x);                            \
        const unsigned short low = LEETK_OF::narrow(value);         \
        x = LEETK_OF::number(a.y);                                  \
        y = LEETK_OF::number(b.y);                                  \
        return LEETK_OF::make2(low, LEETK_OF::narrow(value));       \
    }
#define LEETK_TERNARY(name, name2, value)                                          \
    static inline LEETK_HALF name(LEETK_HALF a, LEETK_HALF b, LEETK_HALF c) {      \
        const float x = LEETK_OF::number(a);                                       \
        const float y = LEETK_OF::number(b);                                       \
        const float z = LEETK_OF::number(c);                                       \
        return LEETK_OF::round(value);                                             \
    }                                                                              \
    static inline LEETK_HALF2 name2(LEETK_HALF2 a, LEETK_HALF2 b, LEETK_HALF2 c) { \
        float x = LEETK_OF::number(a.x);                                           \
        float y = LEETK_OF::number(b.x);                                           \
        float z = LEETK_OF::number(c.x);                                           \
        const unsigned short low = LEETK_OF::narrow(value);                        \
        x = LEETK_OF::number(a.y);                                                 \
        y = LEETK_OF::number(b.y);                                                 \
        z = LEETK_OF::number(c.y);                                                 \
        return LEETK_OF::make2(low, LEETK_OF::narrow(value));                      \
    }

LEETK_BINARY(__hadd, __hadd2, x + y)
LEETK_BINARY(__hsub, __hsub2, x - y)
LEETK_BINARY(__hmul, __hmul2, x * y)
LEETK_BINARY(__hadd_rn, __hadd2_rn, x + y)
LEETK_BINARY(__hsub_rn, __hsub2_rn, x - y)
LEETK_BINARY(__hmul_rn, __hmul2_rn, x * y)
LEETK_BINARY(__hadd_sat, __hadd2_sat, leetk::to_unit(x + y))
LEETK_BINARY(__hsub_sat, __hsub2_sat, leetk::to_unit(x - y))
LEETK_BINARY(__hmul_sat, __hmul2_sat, leetk::to_unit(x * y))
LEETK_BINARY(__hdiv, __h2div, x / y)
LEETK_TERNARY(__hfma, __hfma2, LEETK_OF::fused(x, y, z))
LEETK_TERNARY(__hfma_sat, __hfma2_sat, leetk::to_unit(LEETK_OF::fused(x, y, z)))
LEETK_TERNARY(__hfma_relu, __hfma2_relu, leetk::to_positive(LEETK_OF::fused(x, y, z)))
LEETK_UNARY(__hneg, __hneg2, -x)
LEETK_UNARY(__habs, __habs2, __builtin_fabsf(x))

// A NaN loses, or in the _nan functions wins; +0 is greater than -0.
LEETK_BINARY(__hmax, __hmax2, leetk::greater(x, y))
LEETK_BINARY(__hmin, __hmin2, leetk::lesser(x, y))
LEETK_BINARY(__hmax_nan, __hmax2_nan, x != x || y != y ? x + y : leetk::greater(x, y))
LEETK_BINARY(__hmin_nan, __hmin2_nan, x != x || y != y ? x + y : leetk::lesser(x, y))

LEETK_UNARY(htrunc, h2trunc, __builtin_truncf(x))
LEETK_UNARY(hceil, h2ceil, __builtin_ceilf(x))
LEETK_UNARY(hfloor, h2floor, __builtin_floorf(x))
LEETK_UNARY(hrint, h2rint, __builtin_rintf(x))

LEETK_UNARY(hsqrt, h2sqrt, __builtin_sqrtf(x))
LEETK_UNARY(hrcp, h2rcp, 1.0f / x)
LEETK_UNARY(hrsqrt, h2rsqrt, leetk::to_odd(1.0 / __builtin_sqrt((double)x)))
LEETK_UNARY(hlog, h2log, leetk::to_odd(__builtin_log((double)x)))
LEETK_UNARY(hlog2, h2log2, leetk::to_odd(__builtin_log2((double)x)))
LEETK_UNARY(hlog10, h2log10, leetk::to_odd(__builtin_log10((double)x)))
LEETK_UNARY(hexp, h2exp, leetk::to_odd(__builtin_exp((double)x)))
LEETK_UNARY(hexp2, h2exp2, leetk::to_odd(__builtin_exp2((double)x)))
LEETK_UNARY(hexp10, h2exp10, leetk::to_odd(::exp10((double)x)))
LEETK_UNARY(hsin, h2sin, leetk::to_odd(__builtin_sin((double)x)))
LEETK_UNARY(hcos, h2cos, leetk::to_odd(__builtin_cos((double)x)))
LEETK_UNARY(htanh, h2tanh, leetk::to_odd(__builtin_tanh((double)x)))
LEETK_UNARY(htanh_approx, h2tanh_approx, leetk::to_odd(__builtin_tanh((double)x)))

// (a.x + i a.y) * (b.x + i b.y) + (c.x + i c.y), in four fused operations.
static inline LEETK_HALF2 __hcmadd(LEETK_HALF2 a, LEETK_HALF2 b, LEETK_HALF2 c) {
    return LEETK_HALF2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)),
                       __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

#undef LEETK_UNARY
#undef LEETK_BINARY
#undef LEETK_TERNARY

// ---- comparisons: of numbers, of pairs as masks, as 1.0 or 0.0, and whether both hold -----------

#define LEETK_COMPARISON(name, name2, mask2, both2, condition)                    \
    static inline bool name(LEETK_HALF a, LEETK_HALF b) {                         \
        const float x = LEETK_OF::number(a);                                      \
        const float y = LEETK_OF::number(b);                                      \
        return condition;                                                         \
    }                                                                             \
    static inline unsigned int mask2(LEETK_HALF2 a, LEETK_HALF2 b) {              \
        float x = LEETK_OF::number(a.x);                                          \
        float y = LEETK_OF::number(b.x);                                          \
        const unsigned int low = condition ? 0xffffu : 0u;                        \
        x = LEETK_OF::number(a.y);                                                \
        y = LEETK_OF::number(b.y);                                                \
        return low | (condition ? 0xffff0000u : 0u);                              \
    }                                                                             \
    static inline LEETK_HALF2 name2(LEETK_HALF2 a, LEETK_HALF2 b) {               \
        const unsigned int mask = mask2(a, b);                                    \
        return LEETK_OF::make2(LEETK_OF::one & mask, LEETK_OF::one & mask >> 16); \
    }                                                                             \
    static inline bool both2(LEETK_HALF2 a, LEETK_HALF2 b) { return mask2(a, b) == ~0u; }
LEETK_COMPARISON(__heq, __heq2, __heq2_mask, __hbeq2, x == y)
LEETK_COMPARISON(__hne, __hne2, __hne2_mask, __hbne2, x < y || x > y)
LEETK_COMPARISON(__hle, __hle2, __hle2_mask, __hble2, x <= y)
LEETK_COMPARISON(__hge, __hge2, __hge2_mask, __hbge2, x >= y)
LEETK_COMPARISON(__hlt, __hlt2, __hlt2_mask, __hblt2, x < y)
LEETK_COMPARISON(__hgt, __hgt2, __hgt2_mask, __hbgt2, x > y)
LEETK_COMPARISON(__hequ, __hequ2, __hequ2_mask, __hbequ2, !(x < y || x > y))
LEETK_COMPARISON(__hneu, __hneu2, __hneu2_mask, __hbneu2, !(x == y))
LEETK_COMPARISON(__hleu, __hleu2, __hleu2_mask, __hbleu2, !(x > y))
LEETK_COMPARISON(__hgeu, __hgeu2, __hgeu2_mask, __hbgeu2, !(x < y))
LEETK_COMPARISON(__hltu, __hltu2, __hltu2_mask, __hbltu2, !(x >= y))
LEETK_COMPARISON(__hgtu, __hgtu2, __hgtu2_mask, __hbgtu2, !(x <= y))
#undef LEETK_COMPARISON

static inline bool __hisnan(LEETK_HALF a) {
    return (LEETK_OF::bits(a) & 0x7fff) > LEETK_OF::infinity;
}
static inline LEETK_HALF2 __hisnan2(LEETK_HALF2 a) { return __hneu2(a, a); }
static inline int __hisinf(LEETK_HALF a) {
    const unsigned short bits = LEETK_OF::bits(a);
    if ((bits & 0x7fff) != LEETK_OF::infinity) return 0;
    return bits & 0x8000 ? -1 : 1;
}

// ---- the halves of a pair -----------------------------------------------------------------------

static inline float __low2float(LEETK_HALF2 a) { return LEETK_OF::value(LEETK_OF::bits(a.x)); }
static inline float __high2float(LEETK_HALF2 a) { return LEETK_OF::value(LEETK_OF::bits(a.y)); }
static inline LEETK_HALF2 __lowhigh2highlow(LEETK_HALF2 a) { return LEETK_HALF2(a.y, a.x); }

// ---- memory -------------------------------------------------------------------------------------

static inline LEETK_HALF atomicAdd(LEETK_HALF* address, LEETK_HALF value) {
    unsigned short* const cell = reinterpret_cast<unsigned short*>(address);
    unsigned short seen = __atomic_load_n(cell, __ATOMIC_RELAXED);
    for (;;) {
        const float sum = LEETK_OF::widen(seen) + LEETK_OF::number(value);
        if (__atomic_compare_exchange_n(cell, &seen, LEETK_OF::narrow(sum), true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return LEETK_OF::make(seen);
    }
}
// Each half in one step, not the pair as a whole.
static inline LEETK_HALF2 atomicAdd(LEETK_HALF2* address, LEETK_HALF2 value) {
    const LEETK_HALF x = atomicAdd(&address->x, value.x);
    return LEETK_HALF2(x, atomicAdd(&address->y, value.y));
}

// ---- shuffles -----------------------------------------------------------------------------------

#define LEETK_SHUFFLE(name, Lane)                                                               \
    static inline LEETK_HALF name(unsigned mask, LEETK_HALF value, Lane lane,                   \
                                  int width = 32, const char* file = __builtin_FILE(),    \
                                  int line = __builtin_LINE()) {                                \
        const unsigned bits = LEETK_OF::bits(value);                                            \
        return LEETK_OF::make((unsigned short)name(mask, bits, lane, width, file, line));       \
    }                                                                                           \
    static inline LEETK_HALF2 name(unsigned mask, LEETK_HALF2 value, Lane lane,                 \
                                   int width = 32, const char* file = __builtin_FILE(),   \
                                   int line = __builtin_LINE()) {                               \
        const unsigned bits = LEETK_OF::bits(value.x) | unsigned(LEETK_OF::bits(value.y)) << 16; \
        const unsigned got = name(mask, bits, lane, width, file, line);                         \
        return LEETK_OF::make2((unsigned short)got, (unsigned short)(got >> 16));               \
    }
LEETK_SHUFFLE(__shfl_sync, int)
LEETK_SHUFFLE(__shfl_up_sync, unsigned)
LEETK_SHUFFLE(__shfl_down_sync, unsigned)
LEETK_SHUFFLE(__shfl_xor_sync, int)
#undef LEETK_SHUFFLE

// ---- operators ----------------------------------------------------------------------------------

#if !defined(LEETK_NO_OPERATORS)
#define LEETK_ARITHMETIC(op, assign, value)                                 \
    static inline LEETK_HALF op(const LEETK_HALF& a, const LEETK_HALF& b) { \
        const float x = LEETK_OF::number(a);                                \
        const float y = LEETK_OF::number(b);                                \
        return LEETK_OF::round(value);                                      \
    }                                                                       \
    static inline LEETK_HALF& assign(LEETK_HALF& a, const LEETK_HALF& b) {  \
        const float x = LEETK_OF::number(a);                                \
        const float y = LEETK_OF::number(b);                                \
        return LEETK_OF::set(a, value);                                     \
    }
LEETK_ARITHMETIC(operator+, operator+=, x + y)
LEETK_ARITHMETIC(operator-, operator-=, x - y)
LEETK_ARITHMETIC(operator*, operator*=, x * y)
LEETK_ARITHMETIC(operator/, operator/=, x / y)
#undef LEETK_ARITHMETIC
#define LEETK_STEP(op, value)                               \
    static inline LEETK_HALF& op(LEETK_HALF& a) {           \
        return LEETK_OF::set(a, LEETK_OF::number(a) value); \
    }                                                       \
    static inline LEETK_HALF op(LEETK_HALF& a, int) {       \
        const unsigned short before = LEETK_OF::bits(a);    \
        LEETK_OF::set(a, LEETK_OF::widen(before) value);    \
        return LEETK_OF::make(before);                      \
    }
LEETK_STEP(operator++, +1.0f)
LEETK_STEP(operator--, -1.0f)
#undef LEETK_STEP
static inline LEETK_HALF operator+(const LEETK_HALF& a) { return a; }
static inline LEETK_HALF operator-(const LEETK_HALF& a) {
    return LEETK_OF::round(-LEETK_OF::number(a));
}
#define LEETK_COMPARISON(op, sign)                                    \
    static inline bool op(const LEETK_HALF& a, const LEETK_HALF& b) { \
        return LEETK_OF::number(a) sign LEETK_OF::number(b);          \
    }
LEETK_COMPARISON(operator==, ==)
LEETK_COMPARISON(operator!=, !=)
LEETK_COMPARISON(operator<, <)
LEETK_COMPARISON(operator>, >)
LEETK_COMPARISON(operator<=, <=)
LEETK_COMPARISON(operator>=, >=)
#undef LEETK_COMPARISON
#endif

#if !defined(LEETK_NO_OPERATORS2)
#define LEETK_ARITHMETIC(op, assign, function)                                 \
    static inline LEETK_HALF2 op(const LEETK_HALF2& a, const LEETK_HALF2& b) { \
        return function(a, b);                                                 \
    }                                                                          \
    static inline LEETK_HALF2& assign(LEETK_HALF2& a, const LEETK_HALF2& b) {  \
        return a = function(a, b);                                             \
    }
LEETK_ARITHMETIC(operator+, operator+=, __hadd2)
LEETK_ARITHMETIC(operator-, operator-=, __hsub2)
LEETK_ARITHMETIC(operator*, operator*=, __hmul2)
LEETK_ARITHMETIC(operator/, operator/=, __h2div)
#undef LEETK_ARITHMETIC
#define LEETK_STEP(op, function)                                               \
    static inline LEETK_HALF2& op(LEETK_HALF2& a) {                            \
        return a = function(a, LEETK_OF::make2(LEETK_OF::one, LEETK_OF::one)); \
    }                                                                          \
    static inline LEETK_HALF2 op(LEETK_HALF2& a, int) {                        \
        const LEETK_HALF2 before = a;                                          \
        op(a);                                                                 \
        return before;                                                         \
    }
LEETK_STEP(operator++, __hadd2)
LEETK_STEP(operator--, __hsub2)
#undef LEETK_STEP
static inline LEETK_HALF2 operator+(const LEETK_HALF2& a) { return a; }
static inline LEETK_HALF2 operator-(const LEETK_HALF2& a) { return __hneg2(a); }
// All of them hold where they hold for both halves, != as well.
#define LEETK_COMPARISON(op, function) \
    static inline bool op(const LEETK_HALF2& a, const LEETK_HALF2& b) { return function(a, b); }
LEETK_COMPARISON(operator==, __hbeq2)
LEETK_COMPARISON(operator!=, __hbneu2)
LEETK_COMPARISON(operator<, __hblt2)
LEETK_COMPARISON(operator>, __hbgt2)
LEETK_COMPARISON(operator<=, __hble2)
LEETK_COMPARISON(operator>=, __hbge2)
#undef LEETK_COMPARISON
#endif

// ---- for the conversions, whose names differ: all four ways of rounding -------------------------

#define LEETK_TO_INTEGER(Integer, integer, rn, rz, rd, ru)         \
    static inline Integer rn(LEETK_HALF a) {                       \
        const float whole = __builtin_rintf(LEETK_OF::number(a));  \
        return (Integer)integer;                                   \
    }                                                              \
    static inline Integer rz(LEETK_HALF a) {                       \
        const float whole = __builtin_truncf(LEETK_OF::number(a)); \
        return (Integer)integer;                                   \
    }                                                              \
    static inline Integer rd(LEETK_HALF a) {                       \
        const float whole = __builtin_floorf(LEETK_OF::number(a)); \
        return (Integer)integer;                                   \
    }                                                              \
    static inline Integer ru(LEETK_HALF a) {                       \
        const float whole = __builtin_ceilf(LEETK_OF::number(a));  \
        return (Integer)integer;                                   \
    }
#define LEETK_FROM(T, odd, rn, rz, rd, ru)                                                    \
    static inline LEETK_HALF rn(T value) { return LEETK_OF::round(odd); }                     \
    static inline LEETK_HALF rz(T value) { return LEETK_OF::make(LEETK_OF::narrow_rz(odd)); } \
    static inline LEETK_HALF rd(T value) { return LEETK_OF::make(LEETK_OF::narrow_rd(odd)); } \
    static inline LEETK_HALF ru(T value) { return LEETK_OF::make(LEETK_OF::narrow_ru(odd)); }

#endif
