// The runtime API without the language: types, memory, streams, events, devices, errors.
#ifndef LEETK_CUDA_RUNTIME_API_H
#define LEETK_CUDA_RUNTIME_API_H

#define CUDART_VERSION 13000
#define __CUDART_API_VERSION CUDART_VERSION

#include "api/qualifiers.h"

#include "api/device.h"
#include "api/driver_types.h"
#include "api/errors.h"
#include "api/memory.h"
#include "api/standard.h"
#include "api/streams.h"
#include "leetk/types.h"

#endif
