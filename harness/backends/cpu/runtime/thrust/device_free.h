// thrust::device_free.
#ifndef LEETK_THRUST_DEVICE_FREE_H
#define LEETK_THRUST_DEVICE_FREE_H
#pragma GCC system_header

#include "thrust/device_malloc.h"

#endif
