// thrust::linear_congruential_engine.
#ifndef LEETK_THRUST_LINEAR_CONGRUENTIAL_ENGINE_H
#define LEETK_THRUST_LINEAR_CONGRUENTIAL_ENGINE_H
#pragma GCC system_header

#include "thrust/random/engines.h"

#endif
