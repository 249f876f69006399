// thrust::complex.
#ifndef LEETK_THRUST_COMPLEX_H
#define LEETK_THRUST_COMPLEX_H
#pragma GCC system_header

#include <complex>

#include "cuda_runtime.h"

namespace thrust {

// The standard library's, with mixed arithmetic. Its functions (exp, pow, sin ...) come through the
// base class.
template <class T>
struct complex : std::complex<T> {
    using value_type = T;

    constexpr complex(const T& re = T(), const T& im = T()) : std::complex<T>(re, im) {}
    constexpr complex(const std::complex<T>& other) : std::complex<T>(other) {}
    template <class U>
    explicit constexpr complex(const std::complex<U>& other)
        : std::complex<T>(T(other.real()), T(other.imag())) {}
    template <class U>
    complex& operator=(const std::complex<U>& other) {
        return *this = complex(T(other.real()), T(other.imag()));
    }
    complex& operator=(const T& re) { return *this = complex(re); }
    complex(const complex&) = default;
    complex& operator=(const complex&) = default;

    template <class U>
    complex& operator+=(const U& other) {
        return *this = *this + complex(other);
    }
    template <class U>
    complex& operator-=(const U& other) {
        return *this = *this - complex(other);
    }
    template <class U>
    complex& operator*=(const U& other) {
        return *this = *this * complex(other);
    }
    template <class U>
    complex& operator/=(const U& other) {
        return *this = *this / complex(other);
    }

    friend complex operator+(const complex& a, const complex& b) {
        return {a.real() + b.real(), a.imag() + b.imag()};
    }
    friend complex operator-(const complex& a, const complex& b) {
        return {a.real() - b.real(), a.imag() - b.imag()};
    }
    friend complex operator*(const complex& a, const complex& b) {
        return {a.real() * b.real() - a.imag() * b.imag(),
                a.real() * b.imag() + a.imag() * b.real()};
    }
    friend complex operator/(const complex& a, const complex& b) {
        return static_cast<const std::complex<T>&>(a) / static_cast<const std::complex<T>&>(b);
    }
    friend complex operator+(const complex& a, const T& b) { return a + complex(b); }
    friend complex operator-(const complex& a, const T& b) { return a - complex(b); }
    friend complex operator*(const complex& a, const T& b) {
        return {a.real() * b, a.imag() * b};
    }
    friend complex operator/(const complex& a, const T& b) {
        return {a.real() / b, a.imag() / b};
    }
    friend complex operator+(const T& a, const complex& b) { return complex(a) + b; }
    friend complex operator-(const T& a, const complex& b) { return complex(a) - b; }
    friend complex operator*(const T& a, const complex& b) { return b * a; }
    friend complex operator/(const T& a, const complex& b) { return complex(a) / b; }
    friend complex operator+(const complex& a) { return a; }
    friend complex operator-(const complex& a) { return {-a.real(), -a.imag()}; }
    friend bool operator==(const complex& a, const complex& b) {
        return a.real() == b.real() && a.imag() == b.imag();
    }
    friend bool operator!=(const complex& a, const complex& b) { return !(a == b); }
};

#define LEETK_REAL(name)                       \
    template <class T>                         \
    T name(const complex<T>& z) {              \
        return std::name(std::complex<T>(z));  \
    }
LEETK_REAL(abs)
LEETK_REAL(arg)
LEETK_REAL(norm)
#undef LEETK_REAL

#define LEETK_COMPLEX(name)                    \
    template <class T>                         \
    complex<T> name(const complex<T>& z) {     \
        return std::name(std::complex<T>(z));  \
    }
LEETK_COMPLEX(conj)
LEETK_COMPLEX(proj)
LEETK_COMPLEX(exp)
LEETK_COMPLEX(log)
LEETK_COMPLEX(log10)
LEETK_COMPLEX(sqrt)
LEETK_COMPLEX(cos)
LEETK_COMPLEX(sin)
LEETK_COMPLEX(tan)
LEETK_COMPLEX(cosh)
LEETK_COMPLEX(sinh)
LEETK_COMPLEX(tanh)
LEETK_COMPLEX(acos)
LEETK_COMPLEX(asin)
LEETK_COMPLEX(atan)
LEETK_COMPLEX(acosh)
LEETK_COMPLEX(asinh)
LEETK_COMPLEX(atanh)
#undef LEETK_COMPLEX

template <class T>
complex<T> pow(const complex<T>& a, const complex<T>& b) {
    return std::pow(std::complex<T>(a), std::complex<T>(b));
}
template <class T>
complex<T> pow(const complex<T>& a, const T& b) {
    return std::pow(std::complex<T>(a), b);
}
template <class T>
complex<T> pow(const T& a, const complex<T>& b) {
    return std::pow(a, std::complex<T>(b));
}
template <class T>
complex<T> polar(const T& length, const T& angle = T()) {
    return {length * std::cos(angle), length * std::sin(angle)};
}

}  // namespace thrust

#endif
