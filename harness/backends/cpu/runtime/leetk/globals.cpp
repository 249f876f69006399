// Red zones around the solution's variables: those with a value and those without, each kind side by
// side as the linker has put them. Between two of them there is none.
#include <initializer_list>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "leetk/runtime.h"

namespace leetk {
namespace {

constexpr char filling = char(0xa5);
char* guard;
char* guard_end;

bool is_whole(const char* zone) {
    for (size_t i = 0; i < variable_zone; ++i) {
        if (zone[i] != filling) return false;
    }
    return true;
}

[[noreturn]] void broken(const char* where) {
    Fault fault;
    fault.kind = "out_of_bounds_write";
    fault.fatal = true;
    fault.buffer = "variables of the program";
    fail(fault, "something wrote %s the program's variables (__device__, __constant__ or static)",
         where);
}

}  // namespace

void open_variable_zones() {
    for (char* zone : {before_data, before_bss, after_data, after_bss}) {
        memset(zone, filling, variable_zone);
    }
    const uintptr_t page = uintptr_t(sysconf(_SC_PAGESIZE));
    uintptr_t begin = reinterpret_cast<uintptr_t>(after_bss + variable_zone);
    uintptr_t end = begin + variable_guard;
    guard = reinterpret_cast<char*>((begin + page - 1) / page * page);
    guard_end = reinterpret_cast<char*>(end / page * page);
    if (mprotect(guard, size_t(guard_end - guard), PROT_NONE) != 0) guard = guard_end = nullptr;
}

VariableFault variable_fault(const void* address) {
    const char* at = static_cast<const char*>(address);
    const char* begin = before_bss + variable_zone;
    return {at >= guard && at < guard_end, at - begin, size_t(after_bss - begin)};
}

void check_variable_zones() {
    if (!is_whole(before_data) || !is_whole(before_bss)) broken("before the start of");
    if (!is_whole(after_data) || !is_whole(after_bss)) broken("past the end of");
}

}  // namespace leetk
