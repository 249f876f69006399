// An internal header of CUDA's that older programs include. cuda_runtime.h has it all.
#pragma once

#include "cuda_runtime.h"
