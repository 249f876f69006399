// thrust's random engines and distributions, with the numbers that thrust's give. The engines are
// those of the C++ standard with the same parameters.
#ifndef LEETK_THRUST_RANDOM_H
#define LEETK_THRUST_RANDOM_H
#pragma GCC system_header

#include <stdint.h>

#include "thrust/random/distributions.h"
#include "thrust/random/engines.h"

#endif
