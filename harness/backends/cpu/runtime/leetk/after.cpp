// Linked right behind the solution's object: red zones behind its variables (globals.cpp). Behind the
// __shared__ ones lies what shared.cpp has.
#include "leetk/runtime.h"

namespace leetk {

alignas(64) char after_data[variable_zone] = {1};
alignas(64) char after_bss[variable_zone + variable_guard];

}  // namespace leetk
