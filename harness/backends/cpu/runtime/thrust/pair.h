// thrust::pair: the standard library's.
#ifndef LEETK_THRUST_PAIR_H
#define LEETK_THRUST_PAIR_H
#pragma GCC system_header

#include <utility>

namespace thrust {

using std::get;
using std::make_pair;
using std::pair;

}  // namespace thrust

#endif
