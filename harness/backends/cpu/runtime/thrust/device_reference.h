// thrust::device_reference: an element in device memory, read and written by copies from the host.
#ifndef LEETK_THRUST_DEVICE_REFERENCE_H
#define LEETK_THRUST_DEVICE_REFERENCE_H
#pragma GCC system_header

#include "thrust/device_ptr.h"

#endif
