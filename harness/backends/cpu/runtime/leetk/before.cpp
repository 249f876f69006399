// Linked right before the solution's object: red zones in front of its variables (globals.cpp, and
// shared.cpp for the __shared__ ones).
#include "leetk/runtime.h"

namespace leetk {

alignas(64) __thread char before_shared[variable_zone];
alignas(64) char before_data[variable_zone] = {1};
alignas(64) char before_bss[variable_zone];

}  // namespace leetk
