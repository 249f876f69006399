// thrust::host_vector: a std::vector that also takes what lies in device memory.
#ifndef LEETK_THRUST_HOST_VECTOR_H
#define LEETK_THRUST_HOST_VECTOR_H
#pragma GCC system_header

#include <vector>

#include "thrust/copy.h"
#include "thrust/device_ptr.h"

namespace thrust {

template <class T, class Allocator>
class device_vector;

template <class T, class Allocator = std::allocator<T>>
class host_vector : public std::vector<T, Allocator> {
    using Base = std::vector<T, Allocator>;

public:
    using Base::Base;
    using Base::operator=;

    host_vector() = default;
    host_vector(const Base& other) : Base(other) {}
    template <class Iterator,
              class = typename std::iterator_traits<Iterator>::iterator_category>
    host_vector(Iterator first, Iterator last) {
        assign(first, last);
    }
    template <class Other, class A>
    host_vector(const device_vector<Other, A>& other) {
        assign(other.begin(), other.end());
    }
    template <class Other, class A>
    host_vector& operator=(const device_vector<Other, A>& other) {
        assign(other.begin(), other.end());
        return *this;
    }

    using Base::assign;
    template <class Iterator,
              class = typename std::iterator_traits<Iterator>::iterator_category>
    void assign(Iterator first, Iterator last) {
        this->resize(size_t(std::distance(first, last)));
        thrust::copy(first, last, this->begin());
    }
};

}  // namespace thrust

#include "thrust/leetk/around.h"
#include "thrust/reduce.h"

#endif
