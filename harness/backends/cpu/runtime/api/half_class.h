// The classes of a 16-bit format: the number, the pair, and their raw forms, with CUDA's own set of
// constructors and conversions, so that a call is ambiguous here exactly where nvcc calls it
// ambiguous (`h + 1.0f`). A pair isn't trivially copyable, either: nvcc can't copy a union of one.
//
// Included once for each format by api/half.h and api/bfloat16.h, which define LEETK_HALF and
// LEETK_HALF2 (the classes), LEETK_HALF_RAW and LEETK_HALF2_RAW, LEETK_OTHER (the other format's
// class), LEETK_FORMAT, LEETK_NUMBER (the name of what joins class and format), and
// LEETK_NO_CONVERSIONS where the program wants none.
//
// Many constructors and conversions make each copy of a number costly to compile: the compiler
// looks at every pair of them. So the functions pass 16 bits or a reference, where they can.
#if defined(LEETK_HALF)

struct __attribute__((aligned(2))) LEETK_HALF_RAW {
    unsigned short x;
};
struct __attribute__((aligned(4))) LEETK_HALF2_RAW {
    unsigned short x;
    unsigned short y;
};

struct LEETK_OTHER;

struct __attribute__((aligned(2))) LEETK_HALF {
  protected:
    unsigned short __x;

  public:
    LEETK_HALF() = default;
    constexpr LEETK_HALF(const LEETK_HALF_RAW& raw) : __x(raw.x) {}
    LEETK_HALF& operator=(const LEETK_HALF_RAW& raw) {
        __x = raw.x;
        return *this;
    }
    volatile LEETK_HALF& operator=(const LEETK_HALF_RAW& raw) volatile {
        __x = raw.x;
        return *this;
    }
    volatile LEETK_HALF& operator=(const volatile LEETK_HALF_RAW& raw) volatile {
        __x = raw.x;
        return *this;
    }
    operator LEETK_HALF_RAW() const { return LEETK_HALF_RAW{__x}; }
    operator LEETK_HALF_RAW() const volatile { return LEETK_HALF_RAW{__x}; }

#if !defined(LEETK_NO_CONVERSIONS)
    explicit LEETK_HALF(const LEETK_OTHER other);
    operator float() const { return LEETK_FORMAT::value(__x); }

#define LEETK_CONSTRUCTOR(T, bits) \
    LEETK_HALF(const T value) : __x(bits) {}
#define LEETK_ASSIGNMENT(T, bits)          \
    LEETK_HALF& operator=(const T value) { \
        __x = bits;                        \
        return *this;                      \
    }
#define LEETK_FROM(T, bits)    \
    LEETK_CONSTRUCTOR(T, bits) \
    LEETK_ASSIGNMENT(T, bits)
#define LEETK_ROUND(exact) LEETK_FORMAT::narrow(leetk::to_odd(exact))
    LEETK_FROM(float, LEETK_FORMAT::narrow(value))
    LEETK_FROM(double, LEETK_ROUND(value))
    LEETK_FROM(short, LEETK_ROUND((double)value))
    LEETK_FROM(unsigned short, LEETK_ROUND((double)value))
    LEETK_FROM(int, LEETK_ROUND((double)value))
    LEETK_FROM(unsigned int, LEETK_ROUND((double)value))
    LEETK_FROM(long long, LEETK_ROUND(leetk::to_double(value)))
    LEETK_FROM(unsigned long long, LEETK_ROUND(leetk::to_double(value)))
    LEETK_CONSTRUCTOR(long, LEETK_ROUND(leetk::to_double((long long)value)))
    LEETK_CONSTRUCTOR(unsigned long, LEETK_ROUND(leetk::to_double((unsigned long long)value)))
#undef LEETK_CONSTRUCTOR
#undef LEETK_ASSIGNMENT
#undef LEETK_FROM
#undef LEETK_ROUND

#define LEETK_TO(T, integer)                                            \
    operator T() const {                                                \
        const float whole = __builtin_truncf(LEETK_FORMAT::widen(__x)); \
        return (T)integer;                                              \
    }
    LEETK_TO(signed char, leetk::to_integer(whole, SCHAR_MIN, SCHAR_MAX))
    LEETK_TO(unsigned char, leetk::to_integer(whole, 0, UCHAR_MAX))
    LEETK_TO(char, leetk::to_integer(whole, CHAR_MIN, CHAR_MAX))
    LEETK_TO(short, leetk::to_integer(whole, SHRT_MIN, SHRT_MAX))
    LEETK_TO(unsigned short, leetk::to_integer(whole, 0, USHRT_MAX))
    LEETK_TO(int, leetk::to_integer(whole, INT_MIN, INT_MAX))
    LEETK_TO(unsigned int, leetk::to_integer(whole, 0, UINT_MAX))
    LEETK_TO(long, leetk::to_signed(whole))
    LEETK_TO(unsigned long, leetk::to_unsigned(whole))
    LEETK_TO(long long, leetk::to_signed(whole))
    LEETK_TO(unsigned long long, leetk::to_unsigned(whole))
#undef LEETK_TO

    constexpr operator bool() const { return (__x & 0x7fff) != 0; }
#endif
};

struct __attribute__((aligned(4))) LEETK_HALF2 {
    LEETK_HALF x;
    LEETK_HALF y;

    LEETK_HALF2() = default;
    LEETK_HALF2(const LEETK_HALF2& other) : x(other.x), y(other.y) {}
    LEETK_HALF2& operator=(const LEETK_HALF2& other) {
        x = other.x;
        y = other.y;
        return *this;
    }
    constexpr LEETK_HALF2(const LEETK_HALF& a, const LEETK_HALF& b) : x(a), y(b) {}
    LEETK_HALF2(const LEETK_HALF2_RAW& raw)
        : x(LEETK_HALF_RAW{raw.x}), y(LEETK_HALF_RAW{raw.y}) {}
    LEETK_HALF2& operator=(const LEETK_HALF2_RAW& raw) {
        x = LEETK_HALF_RAW{raw.x};
        y = LEETK_HALF_RAW{raw.y};
        return *this;
    }
    operator LEETK_HALF2_RAW() const {
        return LEETK_HALF2_RAW{static_cast<LEETK_HALF_RAW>(x).x,
                               static_cast<LEETK_HALF_RAW>(y).x};
    }
};

namespace leetk {

struct LEETK_NUMBER : LEETK_FORMAT {
    static inline unsigned short bits(const LEETK_HALF& h) {
        return h.operator LEETK_HALF_RAW().x;
    }
    static inline float number(const LEETK_HALF& h) { return widen(bits(h)); }
    static inline LEETK_HALF make(unsigned short bits) {
        return LEETK_HALF(LEETK_HALF_RAW{bits});
    }
    static inline LEETK_HALF2 make2(unsigned short x, unsigned short y) {
        return LEETK_HALF2(LEETK_HALF2_RAW{x, y});
    }
    static inline LEETK_HALF round(float x) { return make(narrow(x)); }
    static inline unsigned short narrow_rz(float x) { return leetk::narrow_rz<LEETK_FORMAT>(x); }
    static inline unsigned short narrow_rd(float x) { return leetk::narrow_rd<LEETK_FORMAT>(x); }
    static inline unsigned short narrow_ru(float x) { return leetk::narrow_ru<LEETK_FORMAT>(x); }
    static inline LEETK_HALF& set(LEETK_HALF& h, float x) {
        return h.operator=(LEETK_HALF_RAW{narrow(x)});
    }
};

LEETK_CACHED(LEETK_HALF)
LEETK_CACHED(LEETK_HALF2)

}  // namespace leetk

#endif
