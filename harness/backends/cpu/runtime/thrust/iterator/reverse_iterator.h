// thrust::reverse_iterator: the standard library's.
#ifndef LEETK_THRUST_REVERSE_ITERATOR_H
#define LEETK_THRUST_REVERSE_ITERATOR_H
#pragma GCC system_header

#include "cub/leetk/std_iterator.h"
#include "thrust/leetk/raw_iterator.h"

namespace thrust {
using std::make_reverse_iterator;
using std::reverse_iterator;
}  // namespace thrust

namespace leetk {
template <class Iterator>
struct RawIterator<std::reverse_iterator<Iterator>> {
    static constexpr bool on_device = RawIterator<Iterator>::on_device;
    using type = std::reverse_iterator<typename RawIterator<Iterator>::type>;
    static type of(const std::reverse_iterator<Iterator>& it) { return type(raw(it.base())); }
};
}  // namespace leetk

#endif
