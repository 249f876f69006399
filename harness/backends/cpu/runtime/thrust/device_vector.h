// thrust::device_vector: a vector in device memory.
#ifndef LEETK_THRUST_DEVICE_VECTOR_H
#define LEETK_THRUST_DEVICE_VECTOR_H
#pragma GCC system_header

#include <initializer_list>
#include <memory>
#include <vector>

#include "thrust/copy.h"
#include "thrust/device_malloc.h"
#include "thrust/fill.h"
#include "thrust/host_vector.h"

namespace thrust {

template <class T>
struct device_allocator {
    using value_type = T;
};
template <class T>
using device_malloc_allocator = device_allocator<T>;

template <class T, class Allocator = device_allocator<T>>
class device_vector {
    template <class Iterator>
    using IfIterator = typename std::iterator_traits<Iterator>::iterator_category;

public:
    using value_type = T;
    using pointer = device_ptr<T>;
    using const_pointer = device_ptr<const T>;
    using reference = device_reference<T>;
    using const_reference = device_reference<const T>;
    using size_type = size_t;
    using difference_type = ptrdiff_t;
    using iterator = device_ptr<T>;
    using const_iterator = device_ptr<const T>;
    using reverse_iterator = std::reverse_iterator<iterator>;
    using const_reverse_iterator = std::reverse_iterator<const_iterator>;
    using allocator_type = Allocator;

    device_vector() = default;
    explicit device_vector(const Allocator&) {}
    explicit device_vector(size_type count) { resize(count); }
    device_vector(size_type count, const T& value) { resize(count, value); }
    device_vector(const device_vector& other) { assign(other.begin(), other.end()); }
    device_vector(device_vector&& other) noexcept { swap(other); }
    template <class Other, class A>
    device_vector(const device_vector<Other, A>& other) {
        assign(other.begin(), other.end());
    }
    template <class Other, class A>
    device_vector(const std::vector<Other, A>& other) {
        assign(other.begin(), other.end());
    }
    device_vector(std::initializer_list<T> items) { assign(items.begin(), items.end()); }
    template <class Iterator, class = IfIterator<Iterator>>
    device_vector(Iterator first, Iterator last) {
        assign(first, last);
    }
    ~device_vector() { release(); }

    device_vector& operator=(const device_vector& other) {
        if (this != &other) assign(other.begin(), other.end());
        return *this;
    }
    device_vector& operator=(device_vector&& other) noexcept {
        swap(other);
        return *this;
    }
    template <class Other, class A>
    device_vector& operator=(const device_vector<Other, A>& other) {
        assign(other.begin(), other.end());
        return *this;
    }
    template <class Other, class A>
    device_vector& operator=(const std::vector<Other, A>& other) {
        assign(other.begin(), other.end());
        return *this;
    }
    device_vector& operator=(std::initializer_list<T> items) {
        assign(items.begin(), items.end());
        return *this;
    }

    template <class Iterator, class = IfIterator<Iterator>>
    void assign(Iterator first, Iterator last) {
        size_type count = size_type(std::distance(first, last));
        make_room(count, false);
        used = count;
        thrust::copy(first, last, begin());
    }
    void assign(size_type count, const T& value) {
        clear();
        resize(count, value);
    }

    iterator begin() { return data(); }
    iterator end() { return data() + difference_type(used); }
    const_iterator begin() const { return data(); }
    const_iterator end() const { return data() + difference_type(used); }
    const_iterator cbegin() const { return begin(); }
    const_iterator cend() const { return end(); }
    reverse_iterator rbegin() { return reverse_iterator(end()); }
    reverse_iterator rend() { return reverse_iterator(begin()); }
    const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
    const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }

    pointer data() { return pointer(items); }
    const_pointer data() const { return const_pointer(items); }
    size_type size() const { return used; }
    size_type capacity() const { return room; }
    size_type max_size() const { return size_type(-1) / sizeof(T) / 2; }
    bool empty() const { return used == 0; }

    reference operator[](size_type at) { return reference(items + at); }
    const_reference operator[](size_type at) const { return const_reference(items + at); }
    reference front() { return (*this)[0]; }
    const_reference front() const { return (*this)[0]; }
    reference back() { return (*this)[used - 1]; }
    const_reference back() const { return (*this)[used - 1]; }

    void resize(size_type count, const T& value = T()) {
        if (count > used) {
            make_room(count, true);
            fill_from(used, count, value);
        }
        used = count;
    }
    void reserve(size_type count) { make_room(count, true); }
    void clear() { used = 0; }
    void shrink_to_fit() {}
    void push_back(const T& value) {
        T copy = value;
        if (used == room) make_room(room < 8 ? 16 : 2 * room, true);
        fill_from(used, used + 1, copy);
        ++used;
    }
    template <class... A>
    void emplace_back(A&&... arguments) {
        push_back(T(static_cast<A&&>(arguments)...));
    }
    void pop_back() { --used; }

    iterator erase(iterator at) { return erase(at, at + 1); }
    iterator erase(iterator first, iterator last) {
        iterator rest = thrust::copy(last, end(), first);
        used = size_type(rest - begin());
        return first;
    }
    iterator insert(iterator at, const T& value) {
        T copy = value;
        return insert(at, &copy, &copy + 1);
    }
    iterator insert(iterator at, size_type count, const T& value) {
        std::vector<T> copies(count, value);
        return insert(at, copies.begin(), copies.end());
    }
    template <class Iterator, class = IfIterator<Iterator>>
    iterator insert(iterator at, Iterator first, Iterator last) {
        difference_type before = at - begin();
        device_vector behind(at, end());
        size_type count = size_type(std::distance(first, last));
        make_room(used + count, true);
        iterator next = thrust::copy(first, last, begin() + before);
        used += count;
        thrust::copy(behind.begin(), behind.end(), next);
        return begin() + before;
    }

    void swap(device_vector& other) noexcept {
        std::swap(items, other.items);
        std::swap(used, other.used);
        std::swap(room, other.room);
    }
    friend void swap(device_vector& a, device_vector& b) { a.swap(b); }

private:
    T* items = nullptr;
    size_type used = 0;
    size_type room = 0;

    void release() {
        if (items) ::leetk::device_free((void*)items);
        items = nullptr;
    }
    // Real growth reallocates, so that pointers kept from before show up as freed.
    void make_room(size_type count, bool keep) {
        if (count <= room) return;
        void* made = ::leetk::thrust_allocate(count * sizeof(T), "thrust::device_vector");
        if (keep && used > 0) {
            ::leetk::DeviceAccess access;
            for (size_type i = 0; i < used; ++i) {
                new (static_cast<void*>(static_cast<T*>(made) + i)) T(items[i]);
            }
        }
        release();
        items = static_cast<T*>(made);
        room = count;
    }
    void fill_from(size_type begin, size_type end, const T& value) {
        ::leetk::DeviceAccess access;
        for (size_type i = begin; i < end; ++i) new (static_cast<void*>(items + i)) T(value);
    }
};

template <class A, class B, class C, class D>
bool operator==(const device_vector<A, B>& a, const device_vector<C, D>& b) {
    if (a.size() != b.size()) return false;
    ::leetk::DeviceAccess access;
    const A* x = a.data().get();
    const C* y = b.data().get();
    for (size_t i = 0; i < a.size(); ++i) {
        if (!(x[i] == y[i])) return false;
    }
    return true;
}
template <class A, class B, class C, class D>
bool operator!=(const device_vector<A, B>& a, const device_vector<C, D>& b) {
    return !(a == b);
}
template <class A, class B, class C, class D>
bool operator==(const device_vector<A, B>& a, const std::vector<C, D>& b) {
    return a == device_vector<C>(b);
}
template <class A, class B, class C, class D>
bool operator==(const std::vector<A, B>& a, const device_vector<C, D>& b) {
    return b == a;
}

}  // namespace thrust

#include "thrust/leetk/around.h"
#include "thrust/reduce.h"

#endif
