// thrust::device_ptr and device_reference.
#ifndef LEETK_THRUST_DEVICE_PTR_H
#define LEETK_THRUST_DEVICE_PTR_H
#pragma GCC system_header

#include "thrust/leetk/system.h"

namespace thrust {

template <class T>
class device_ptr;

// An element in device memory. Host code reads and writes it by a copy, device code directly.
template <class T>
class device_reference {
public:
    using value_type = std::remove_cv_t<T>;
    using pointer = device_ptr<T>;

    explicit device_reference(T* to) : element(to) {}
    explicit device_reference(const device_ptr<T>& to) : element(to.get()) {}
    device_reference(const device_reference&) = default;
    template <class Other, class = std::enable_if_t<std::is_convertible_v<Other*, T*>>>
    device_reference(const device_reference<Other>& other) : element((&other).get()) {}

    operator value_type() const { return read(); }
    device_ptr<T> operator&() const { return device_ptr<T>(element); }

    const device_reference& operator=(const value_type& value) const {
        ::leetk::DeviceAccess access;
        *element = value;
        return *this;
    }
    const device_reference& operator=(const device_reference& other) const {
        return *this = value_type(other);
    }
    template <class Other>
    const device_reference& operator=(const device_reference<Other>& other) const {
        return *this = value_type(other);
    }

#define LEETK_ASSIGN(op)                                                    \
    template <class Other>                                                  \
    const device_reference& operator op##=(const Other& other) const {      \
        return *this = value_type(read() op other);                         \
    }
    LEETK_ASSIGN(+)
    LEETK_ASSIGN(-)
    LEETK_ASSIGN(*)
    LEETK_ASSIGN(/)
    LEETK_ASSIGN(%)
    LEETK_ASSIGN(&)
    LEETK_ASSIGN(|)
    LEETK_ASSIGN(^)
    LEETK_ASSIGN(<<)
    LEETK_ASSIGN(>>)
#undef LEETK_ASSIGN
    const device_reference& operator++() const { return *this += 1; }
    const device_reference& operator--() const { return *this -= 1; }
    value_type operator++(int) const {
        value_type before = read();
        *this = value_type(before + 1);
        return before;
    }
    value_type operator--(int) const {
        value_type before = read();
        *this = value_type(before - 1);
        return before;
    }
    friend void swap(device_reference a, device_reference b) {
        value_type value = a;
        a = b;
        b = value;
    }

private:
    T* element;

    value_type read() const {
        ::leetk::DeviceAccess access;
        return *element;
    }
};

// A pointer that knows that it points to device memory.
template <class T>
class device_ptr {
public:
    using element_type = T;
    using value_type = std::remove_cv_t<T>;
    using reference = device_reference<T>;
    using pointer = device_ptr<T>;
    using difference_type = ptrdiff_t;
    using iterator_category = std::random_access_iterator_tag;
    using raw_pointer = T*;

    device_ptr() = default;
    device_ptr(decltype(nullptr)) {}
    template <class Other, class = std::enable_if_t<std::is_convertible_v<Other*, T*>>>
    explicit device_ptr(Other* to) : to(to) {}
    template <class Other, class = std::enable_if_t<std::is_convertible_v<Other*, T*>>>
    device_ptr(const device_ptr<Other>& other) : to(other.get()) {}

    T* get() const { return to; }
    explicit operator bool() const { return to != nullptr; }

    reference operator*() const { return reference(to); }
    reference operator[](difference_type at) const { return reference(to + at); }

    device_ptr& operator++() { return *this += 1; }
    device_ptr& operator--() { return *this += -1; }
    device_ptr operator++(int) { return device_ptr(to++); }
    device_ptr operator--(int) { return device_ptr(to--); }
    device_ptr& operator+=(difference_type by) {
        to += by;
        return *this;
    }
    device_ptr& operator-=(difference_type by) {
        to -= by;
        return *this;
    }
    device_ptr operator+(difference_type by) const { return device_ptr(to + by); }
    device_ptr operator-(difference_type by) const { return device_ptr(to - by); }
    friend device_ptr operator+(difference_type by, device_ptr from) { return from + by; }

private:
    T* to = nullptr;
};

template <class A, class B>
ptrdiff_t operator-(const device_ptr<A>& a, const device_ptr<B>& b) {
    return a.get() - b.get();
}
#define LEETK_COMPARE(op)                                                  \
    template <class A, class B>                                            \
    bool operator op(const device_ptr<A>& a, const device_ptr<B>& b) {     \
        return a.get() op b.get();                                         \
    }
LEETK_COMPARE(==)
LEETK_COMPARE(!=)
LEETK_COMPARE(<)
LEETK_COMPARE(>)
LEETK_COMPARE(<=)
LEETK_COMPARE(>=)
#undef LEETK_COMPARE
template <class A>
bool operator==(const device_ptr<A>& a, decltype(nullptr)) {
    return !a;
}
template <class A>
bool operator!=(const device_ptr<A>& a, decltype(nullptr)) {
    return bool(a);
}

template <class T>
device_ptr<T> device_pointer_cast(T* pointer) {
    return device_ptr<T>(pointer);
}
template <class T>
device_ptr<T> device_pointer_cast(const device_ptr<T>& pointer) {
    return pointer;
}

template <class T>
T* raw_pointer_cast(T* pointer) {
    return pointer;
}
template <class T>
T* raw_pointer_cast(const device_ptr<T>& pointer) {
    return pointer.get();
}
template <class T>
T& raw_reference_cast(T& reference) {
    return reference;
}
template <class T>
T& raw_reference_cast(const device_reference<T>& reference) {
    return *(&reference).get();
}

template <class To, class From>
device_ptr<To> static_pointer_cast(const device_ptr<From>& pointer) {
    return device_ptr<To>(static_cast<To*>(pointer.get()));
}
template <class To, class From>
device_ptr<To> reinterpret_pointer_cast(const device_ptr<From>& pointer) {
    return device_ptr<To>(reinterpret_cast<To*>(pointer.get()));
}

}  // namespace thrust

namespace leetk {
template <class T>
struct RawIterator<thrust::device_ptr<T>> {
    static constexpr bool on_device = true;
    using type = T*;
    static T* of(const thrust::device_ptr<T>& pointer) { return pointer.get(); }
};
}  // namespace leetk

#include "thrust/leetk/around.h"

#endif
