// thrust::distance.
#ifndef LEETK_THRUST_DISTANCE_H
#define LEETK_THRUST_DISTANCE_H
#pragma GCC system_header

#include "cub/leetk/std_iterator.h"

namespace thrust {
using std::distance;
}  // namespace thrust

#endif
