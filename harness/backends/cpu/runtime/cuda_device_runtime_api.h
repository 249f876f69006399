// The part of the runtime API that kernels could call: nothing beyond cuda_runtime.h here.
#pragma once

#include "cuda_runtime.h"
