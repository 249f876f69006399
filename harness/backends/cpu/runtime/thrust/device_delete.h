// thrust::device_delete.
#ifndef LEETK_THRUST_DEVICE_DELETE_H
#define LEETK_THRUST_DEVICE_DELETE_H
#pragma GCC system_header

#include "thrust/device_malloc.h"

#endif
