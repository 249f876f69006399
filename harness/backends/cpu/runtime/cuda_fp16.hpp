// The second part of cuda_fp16.h in CUDA, which has it all here.
#pragma once

#include "cuda_fp16.h"
