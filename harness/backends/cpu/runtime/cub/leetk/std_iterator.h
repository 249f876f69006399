// std::iterator_traits, std::reverse_iterator, std::advance and their kin, without the streams that
// <iterator> brings, which take longer to compile than all the rest.
#ifndef LEETK_CUB_STD_ITERATOR_H
#define LEETK_CUB_STD_ITERATOR_H
#pragma GCC system_header

#if __has_include(<bits/stl_iterator.h>)
#include <utility>

#include <bits/stl_iterator_base_types.h>

#include <bits/stl_iterator_base_funcs.h>

#include <bits/stl_iterator.h>
#else
#include <iterator>
#endif

#endif
