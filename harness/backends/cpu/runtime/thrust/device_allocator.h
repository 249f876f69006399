// thrust::device_allocator.
#ifndef LEETK_THRUST_DEVICE_ALLOCATOR_H
#define LEETK_THRUST_DEVICE_ALLOCATOR_H
#pragma GCC system_header

#include "thrust/device_vector.h"

#endif
