// The operators of a random-access iterator, written once. `Self` gives get(), move(by) and
// since(other).
#ifndef LEETK_CUB_ITERATOR_H
#define LEETK_CUB_ITERATOR_H
#pragma GCC system_header

#include <stddef.h>

#include "cub/leetk/std_iterator.h"

namespace leetk {

template <class Self, class Value, class Reference = Value>
struct InputIterator {
    using self_type = Self;
    using value_type = Value;
    using reference = Reference;
    using pointer = Value*;
    using difference_type = ptrdiff_t;
    using iterator_category = std::random_access_iterator_tag;

    Reference operator*() const { return self().get(); }
    template <class Distance>
    Reference operator[](Distance at) const {
        return *(self() + at);
    }

    Self& operator++() { return moved(1); }
    Self& operator--() { return moved(-1); }
    Self operator++(int) {
        Self before = self();
        moved(1);
        return before;
    }
    Self operator--(int) {
        Self before = self();
        moved(-1);
        return before;
    }
    template <class Distance>
    Self& operator+=(Distance by) {
        return moved(ptrdiff_t(by));
    }
    template <class Distance>
    Self& operator-=(Distance by) {
        return moved(-ptrdiff_t(by));
    }
    template <class Distance>
    Self operator+(Distance by) const {
        Self made = self();
        made.move(ptrdiff_t(by));
        return made;
    }

    friend Self operator+(ptrdiff_t by, const Self& from) { return from + by; }
    friend Self operator-(const Self& from, ptrdiff_t by) { return from + -by; }
    friend ptrdiff_t operator-(const Self& a, const Self& b) { return a.since(b); }
    friend bool operator==(const Self& a, const Self& b) { return a.since(b) == 0; }
    friend bool operator!=(const Self& a, const Self& b) { return a.since(b) != 0; }
    friend bool operator<(const Self& a, const Self& b) { return a.since(b) < 0; }
    friend bool operator>(const Self& a, const Self& b) { return a.since(b) > 0; }
    friend bool operator<=(const Self& a, const Self& b) { return a.since(b) <= 0; }
    friend bool operator>=(const Self& a, const Self& b) { return a.since(b) >= 0; }

private:
    const Self& self() const { return static_cast<const Self&>(*this); }
    Self& moved(ptrdiff_t by) {
        Self& self = static_cast<Self&>(*this);
        self.move(by);
        return self;
    }
};

}  // namespace leetk

#endif
