// thrust::device_new.
#ifndef LEETK_THRUST_DEVICE_NEW_H
#define LEETK_THRUST_DEVICE_NEW_H
#pragma GCC system_header

#include "thrust/device_malloc.h"

#endif
