// thrust::iterator_traits: the standard library's.
#ifndef LEETK_THRUST_ITERATOR_TRAITS_H
#define LEETK_THRUST_ITERATOR_TRAITS_H
#pragma GCC system_header

#include "cub/leetk/std_iterator.h"

namespace thrust {

using std::iterator_traits;

template <class Iterator>
using iterator_value = std::iterator_traits<Iterator>;
template <class Iterator>
using iterator_value_t = typename std::iterator_traits<Iterator>::value_type;
template <class Iterator>
using iterator_difference_t = typename std::iterator_traits<Iterator>::difference_type;
template <class Iterator>
using iterator_reference_t = typename std::iterator_traits<Iterator>::reference;

using std::random_access_iterator_tag;
using random_access_device_iterator_tag = std::random_access_iterator_tag;
using random_access_host_iterator_tag = std::random_access_iterator_tag;

}  // namespace thrust

#endif
