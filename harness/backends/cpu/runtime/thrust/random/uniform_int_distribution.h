// thrust::uniform_int_distribution.
#ifndef LEETK_THRUST_UNIFORM_INT_DISTRIBUTION_H
#define LEETK_THRUST_UNIFORM_INT_DISTRIBUTION_H
#pragma GCC system_header

#include "thrust/random/distributions.h"

#endif
