// Pointers between systems, and thrust::malloc.
#ifndef LEETK_THRUST_MEMORY_H
#define LEETK_THRUST_MEMORY_H
#pragma GCC system_header

#include "thrust/device_malloc.h"
#include "thrust/execution_policy.h"

#include "thrust/leetk/around.h"

#endif
