// __global__, __device__, __host__ and the other qualifiers.
#pragma once

#include "api/qualifiers.h"
#include "leetk/shared.h"
