// thrust::normal_distribution.
#ifndef LEETK_THRUST_NORMAL_DISTRIBUTION_H
#define LEETK_THRUST_NORMAL_DISTRIBUTION_H
#pragma GCC system_header

#include "thrust/random/distributions.h"

#endif
