// thrust::permutation_iterator: elements[indices[i]].
#ifndef LEETK_THRUST_PERMUTATION_ITERATOR_H
#define LEETK_THRUST_PERMUTATION_ITERATOR_H
#pragma GCC system_header

#include "cub/leetk/iterator.h"
#include "thrust/leetk/raw_iterator.h"

namespace thrust {

template <class Element, class Index>
class permutation_iterator
    : public ::leetk::InputIterator<permutation_iterator<Element, Index>,
                                    typename std::iterator_traits<Element>::value_type,
                                    typename std::iterator_traits<Element>::reference> {
public:
    permutation_iterator() = default;
    permutation_iterator(Element of, Index by) : elements(of), indices(by) {}

    const Element& base() const { return elements; }
    const Index& index() const { return indices; }
    typename std::iterator_traits<Element>::reference get() const {
        typename std::iterator_traits<Index>::value_type at = *indices;
        return elements[at];
    }
    void move(ptrdiff_t by) { indices += by; }
    ptrdiff_t since(const permutation_iterator& other) const {
        return ptrdiff_t(indices - other.indices);
    }

private:
    Element elements;
    Index indices;
};

template <class Element, class Index>
permutation_iterator<Element, Index> make_permutation_iterator(Element elements, Index indices) {
    return permutation_iterator<Element, Index>(elements, indices);
}

}  // namespace thrust

namespace leetk {
template <class Element, class Index>
struct RawIterator<thrust::permutation_iterator<Element, Index>> {
    static constexpr bool on_device =
        RawIterator<Element>::on_device || RawIterator<Index>::on_device;
    using type = thrust::permutation_iterator<typename RawIterator<Element>::type,
                                              typename RawIterator<Index>::type>;
    static type of(const thrust::permutation_iterator<Element, Index>& it) {
        return type(raw(it.base()), raw(it.index()));
    }
};
}  // namespace leetk

#endif
