// dim3 and the vector types.
#pragma once

#include "leetk/types.h"
