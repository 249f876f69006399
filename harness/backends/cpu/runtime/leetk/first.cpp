// Linked right behind the solution's object: where its variables end and the runtime's begin.
#include "leetk/runtime.h"

namespace leetk {

alignas(64) char first_of_data = 1;
alignas(64) char first_of_bss;

}  // namespace leetk
