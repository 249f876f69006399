// threadIdx, blockIdx, blockDim, gridDim and warpSize.
#pragma once

#include "leetk/core.h"
