// CUB's helper types. Names that only its own headers use are left out.
#ifndef LEETK_CUB_UTIL_TYPE_CUH
#define LEETK_CUB_UTIL_TYPE_CUH
#pragma GCC system_header

#include <limits>
#include <type_traits>

#include "cub/config.cuh"
#include "cub/leetk/std_iterator.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace cub {

struct NullType {
    using value_type = NullType;

    template <class T>
    NullType& operator=(const T&) {
        return *this;
    }
    bool operator==(const NullType&) const { return true; }
    bool operator!=(const NullType&) const { return false; }
};

template <int A>
struct Int2Type {
    static constexpr int VALUE = A;
};

// Of `N`, rounded up.
template <int N>
struct Log2 {
    static constexpr int VALUE = N <= 1 ? 0 : 1 + Log2<(N + 1) / 2>::VALUE;
};
template <>
struct Log2<1> {
    static constexpr int VALUE = 0;
};
template <>
struct Log2<0> {
    static constexpr int VALUE = 0;
};

template <int N>
struct PowerOfTwo {
    static constexpr bool VALUE = (N & (N - 1)) == 0;
};

template <bool condition, class Then, class Else>
struct If {
    using Type = std::conditional_t<condition, Then, Else>;
};

template <class A, class B>
struct Equals {
    static constexpr bool VALUE = std::is_same_v<A, B>;
    static constexpr bool NEGATE = !VALUE;
};

template <class Key, class Value>
struct KeyValuePair {
    using Key_ = Key;
    using key_type = Key;
    using value_type = Value;

    Key key;
    Value value;

    KeyValuePair() = default;
    KeyValuePair(const Key& k, const Value& v) : key(k), value(v) {}

    friend bool operator==(const KeyValuePair& a, const KeyValuePair& b) {
        return a.key == b.key && a.value == b.value;
    }
    friend bool operator!=(const KeyValuePair& a, const KeyValuePair& b) { return !(a == b); }
};

// Two buffers that a sort may switch between; Current() is where its result lies.
template <class T>
struct DoubleBuffer {
    T* d_buffers[2] = {nullptr, nullptr};
    int selector = 0;

    DoubleBuffer() = default;
    DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate} {}

    T* Current() { return d_buffers[selector]; }
    T* Alternate() { return d_buffers[selector ^ 1]; }
};

// A value that a kernel before will have written.
template <class T, class Iterator = T*>
struct FutureValue {
    using value_type = T;
    using iterator_type = Iterator;

    explicit FutureValue(Iterator from) : m_iter(from) {}
    operator T() const { return *m_iter; }

private:
    Iterator m_iter;
};
template <class Iterator>
FutureValue(Iterator) -> FutureValue<typename std::iterator_traits<Iterator>::value_type, Iterator>;

// Storage for a T whose constructor isn't run.
template <class T>
struct Uninitialized {
    alignas(T) unsigned char storage[sizeof(T)];
    T& Alias() { return reinterpret_cast<T&>(*this); }
};

// The type `base` with `count` elements: CubVector<float, 4>::Type is float4.
template <class T, int count>
struct CubVector;

#define LEETK_CUB_VECTOR(T, name)                \
    template <>                                  \
    struct CubVector<T, 1> { using Type = name##1; }; \
    template <>                                  \
    struct CubVector<T, 2> { using Type = name##2; }; \
    template <>                                  \
    struct CubVector<T, 3> { using Type = name##3; }; \
    template <>                                  \
    struct CubVector<T, 4> { using Type = name##4; };
LEETK_CUB_VECTOR(char, char)
LEETK_CUB_VECTOR(signed char, char)
LEETK_CUB_VECTOR(short, short)
LEETK_CUB_VECTOR(int, int)
LEETK_CUB_VECTOR(long, long)
LEETK_CUB_VECTOR(long long, longlong)
LEETK_CUB_VECTOR(unsigned char, uchar)
LEETK_CUB_VECTOR(unsigned short, ushort)
LEETK_CUB_VECTOR(unsigned int, uint)
LEETK_CUB_VECTOR(unsigned long, ulong)
LEETK_CUB_VECTOR(unsigned long long, ulonglong)
LEETK_CUB_VECTOR(float, float)
LEETK_CUB_VECTOR(double, double)
LEETK_CUB_VECTOR(bool, uchar)
#undef LEETK_CUB_VECTOR

enum Category { NOT_A_NUMBER, SIGNED_INTEGER, UNSIGNED_INTEGER, FLOATING_POINT };

template <class T>
struct Traits {
    static constexpr bool PRIMITIVE = std::is_arithmetic_v<T>;
    static constexpr Category CATEGORY = !PRIMITIVE                     ? NOT_A_NUMBER
                                         : std::is_floating_point_v<T> ? FLOATING_POINT
                                         : std::is_signed_v<T>         ? SIGNED_INTEGER
                                                                       : UNSIGNED_INTEGER;
    static T Max() { return std::numeric_limits<T>::max(); }
    static T Lowest() { return std::numeric_limits<T>::lowest(); }
};
template <class T>
using NumericTraits = Traits<T>;

namespace detail {
template <class Iterator>
using it_value_t = typename std::iterator_traits<Iterator>::value_type;
}  // namespace detail

template <class Iterator>
using IteratorValue = typename std::iterator_traits<Iterator>::value_type;

}  // namespace cub

#endif
