// make_float4 and its kin, which come with the types.
#pragma once

#include "leetk/types.h"
