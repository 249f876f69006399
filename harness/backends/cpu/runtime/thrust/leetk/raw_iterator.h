// How iterators of device memory are seen from the device.
#ifndef LEETK_THRUST_RAW_ITERATOR_H
#define LEETK_THRUST_RAW_ITERATOR_H
#pragma GCC system_header

#include <stddef.h>

#include <type_traits>

#include "cub/leetk/std_iterator.h"

namespace leetk {

// An iterator with raw pointers in place of its device pointers, if it has any. Specialised by
// device_ptr and by iterators that contain others.
template <class Iterator, class = void>
struct RawIterator {
    static constexpr bool on_device = false;
    using type = Iterator;
    static const Iterator& of(const Iterator& iterator) { return iterator; }
};

template <class Iterator>
typename RawIterator<Iterator>::type raw(const Iterator& iterator) {
    return RawIterator<Iterator>::of(iterator);
}
template <class... A>
constexpr bool any_on_device = (RawIterator<std::decay_t<A>>::on_device || ...);

template <class Iterator>
using ValueType = typename std::iterator_traits<Iterator>::value_type;
template <class Iterator>
using DifferenceType = typename std::iterator_traits<Iterator>::difference_type;

}  // namespace leetk

#endif
