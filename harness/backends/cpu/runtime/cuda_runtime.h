// The CUDA runtime for leetk's CPU backend: everything that a .cu file sees without an include.
// The build passes `-include cuda_runtime.h`, as nvcc does by itself.
#ifndef LEETK_CUDA_RUNTIME_H
#define LEETK_CUDA_RUNTIME_H

#include "cuda_runtime_api.h"

#include "api/atomics.h"
#include "api/cache_hints.h"
#include "api/device_functions.h"
#include "api/execution.h"
#include "api/intrinsics_convert.h"
#include "api/intrinsics_float.h"
#include "api/intrinsics_integer.h"
#include "api/math.h"
#include "api/symbols.h"
#include "api/warp.h"
#include "leetk/core.h"
#include "leetk/launch.h"
#include "leetk/shared.h"

#endif
