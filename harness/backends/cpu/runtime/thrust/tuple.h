// thrust::tuple: the standard library's.
#ifndef LEETK_THRUST_TUPLE_H
#define LEETK_THRUST_TUPLE_H
#pragma GCC system_header

#include <tuple>

#include "thrust/pair.h"

namespace thrust {

using std::get;
using std::ignore;
using std::make_tuple;
using std::tie;
using std::tuple;
using std::tuple_element;
using std::tuple_element_t;
using std::tuple_size;
using std::tuple_size_v;

struct null_type {};

}  // namespace thrust

#endif
