// The second part of cuda_bf16.h in CUDA, which has it all here.
#pragma once

#include "cuda_bf16.h"
