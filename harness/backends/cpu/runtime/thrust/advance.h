// thrust::advance, next, prev.
#ifndef LEETK_THRUST_ADVANCE_H
#define LEETK_THRUST_ADVANCE_H
#pragma GCC system_header

#include "cub/leetk/std_iterator.h"

namespace thrust {
using std::advance;
using std::next;
using std::prev;
}  // namespace thrust

#endif
