// CUDA's built-in types: dim3, the vector types with their alignments, and the make_* functions.
//
// Includes nothing and needs C++11. The vector types are aggregates of the element type's own
// fields, as CUDA's are, so that `float4 v = {1, 2, 3, 4}`, `float4{}` and an uninitialised
// `float4 v;` all mean what they mean under nvcc. A type of 2 or 4 elements is aligned to its
// size up to 16 bytes, one of 1 or 3 elements to its element; `_16a` and `_32a` name the
// alignment. CUDA 13 deprecates the four-element types of 8-byte elements; here they are silent.
#ifndef LEETK_TYPES_H
#define LEETK_TYPES_H

#define LEETK_ALIGN(bytes) __attribute__((aligned(bytes)))

// Counters (LEETK_TRACED) want a vector of constants to be stored as one, as a device does, so it is
// put together in memory first.
#ifdef LEETK_TRACED
#define LEETK_MAKE(name, ...)        \
    {                                \
        name made = {__VA_ARGS__};   \
        __asm__("" : "+m"(made));    \
        return made;                 \
    }
#define LEETK_MAKER static inline
#else
#define LEETK_MAKE(name, ...) \
    { return {__VA_ARGS__}; }
#define LEETK_MAKER static inline constexpr
#endif

#define LEETK_VECTOR1(name, T) \
    struct name##1 { T x; };   \
    static inline constexpr name##1 make_##name##1(T x) { return {x}; }
#define LEETK_VECTOR2(name, T, bytes)              \
    struct LEETK_ALIGN(bytes) name##2 { T x, y; }; \
    LEETK_MAKER name##2 make_##name##2(T x, T y) LEETK_MAKE(name##2, x, y)
#define LEETK_VECTOR3(name, T)     \
    struct name##3 { T x, y, z; }; \
    static inline constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }
#define LEETK_VECTOR4(name, T, bytes) \
    struct LEETK_ALIGN(bytes) name {  \
        T x, y, z, w;                 \
    };                                \
    LEETK_MAKER name make_##name(T x, T y, T z, T w) LEETK_MAKE(name, x, y, z, w)

#define LEETK_VECTORS(name, T, size) \
    LEETK_VECTOR1(name, T)           \
    LEETK_VECTOR2(name, T, 2 * size) \
    LEETK_VECTOR3(name, T)           \
    LEETK_VECTOR4(name##4, T, 4 * size)
#define LEETK_WIDE_VECTORS(name, T)   \
    LEETK_VECTOR1(name, T)            \
    LEETK_VECTOR2(name, T, 16)        \
    LEETK_VECTOR3(name, T)            \
    LEETK_VECTOR4(name##4, T, 16)     \
    LEETK_VECTOR4(name##4_16a, T, 16) \
    LEETK_VECTOR4(name##4_32a, T, 32)

LEETK_VECTORS(char, signed char, 1)
LEETK_VECTORS(uchar, unsigned char, 1)
LEETK_VECTORS(short, short, 2)
LEETK_VECTORS(ushort, unsigned short, 2)
LEETK_VECTORS(int, int, 4)
LEETK_VECTORS(uint, unsigned int, 4)
LEETK_VECTORS(float, float, 4)
LEETK_WIDE_VECTORS(long, long)
LEETK_WIDE_VECTORS(ulong, unsigned long)
LEETK_WIDE_VECTORS(longlong, long long)
LEETK_WIDE_VECTORS(ulonglong, unsigned long long)
LEETK_WIDE_VECTORS(double, double)

#undef LEETK_MAKE
#undef LEETK_MAKER
#undef LEETK_VECTOR1
#undef LEETK_VECTOR2
#undef LEETK_VECTOR3
#undef LEETK_VECTOR4
#undef LEETK_VECTORS
#undef LEETK_WIDE_VECTORS

// Sizes left out are 1. The converting constructors are implicit, as in CUDA: `dim3 block = 256`.
struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};

#endif
