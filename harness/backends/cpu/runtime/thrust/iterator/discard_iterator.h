// thrust::discard_iterator: takes anything and keeps nothing.
#ifndef LEETK_THRUST_DISCARD_ITERATOR_H
#define LEETK_THRUST_DISCARD_ITERATOR_H
#pragma GCC system_header

#include "cub/leetk/iterator.h"
#include "thrust/iterator/iterator_traits.h"

namespace leetk {
struct Discard {
    template <class T>
    const Discard& operator=(const T&) const {
        return *this;
    }
};
}  // namespace leetk

namespace thrust {

template <class System = void>
class discard_iterator
    : public ::leetk::InputIterator<discard_iterator<System>, ::leetk::Discard> {
public:
    discard_iterator(ptrdiff_t position = 0) : at(position) {}

    ::leetk::Discard get() const { return {}; }
    void move(ptrdiff_t by) { at += by; }
    ptrdiff_t since(const discard_iterator& other) const { return at - other.at; }

private:
    ptrdiff_t at;
};

inline discard_iterator<> make_discard_iterator(ptrdiff_t position = 0) {
    return discard_iterator<>(position);
}

}  // namespace thrust

#endif
