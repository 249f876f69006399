// Faults that the compiler's own checks find.
//
// Misaligned accesses, which a GPU refuses (cudaErrorMisalignedAddress) and an x86 or Arm
// processor mostly serves.
//
// Solutions are compiled with -fsanitize=alignment (README.md). The compiler then calls this
// function, whose name and parameters are those of its own sanitizer library, which is not linked.
//
// Writes past the end of a local array, where the stack protector sees them (-fstack-protector).
#include <stdio.h>

#include "leetk/runtime.h"

namespace leetk {
namespace {

struct Descriptor {
    unsigned short kind;
    unsigned short info;
    char name[1];  // in quotes, ends with a zero
};

struct Mismatch {
    const char* file;
    unsigned line;
    unsigned column;
    const Descriptor* type;
    unsigned char log2_alignment;
    unsigned char access;
};

[[noreturn]] void misaligned(const char* file, unsigned line, const Descriptor& type,
                             size_t needed, uintptr_t address) {
    const Mapping* mapping = find_mapping(reinterpret_cast<const void*>(address));
    Fault fault;
    fault.kind = in_kernel() ? "illegal_access" : "signal";
    fault.fatal = true;
    fault.file = file;
    fault.line = int(line);
    char where[128] = "";
    if (mapping) {
        fault.buffer = mapping->name;
        fault.byte = (long long)(address - reinterpret_cast<uintptr_t>(mapping->data));
        fault.size = (long long)mapping->bytes;
        snprintf(where, sizeof where, " (byte %lld of %s)", fault.byte, mapping->name);
    }
    if (address >> 32 == poison_word()) fail(fault, "a pointer was used that was never set");
    fail(fault, "misaligned address: an access as %s needs a multiple of %zu bytes%s",
         type.name, needed, where);
}

// Of clang: a pointer that is said to be aligned.
struct Assumption {
    const char* file;
    unsigned line;
    unsigned column;
    const char* assumed_file;
    unsigned assumed_line;
    unsigned assumed_column;
    const Descriptor* type;
};

[[noreturn]] void overrun_local(uintptr_t pc) {
    Fault fault;
    fault.kind = in_kernel() ? "out_of_bounds_write" : "signal";
    fault.fatal = true;
    fault.pc = pc;
    fault.buffer = "a local array";
    fail(fault, "%s wrote past the end of a local array", in_kernel() ? "a kernel" : "host code");
}

}  // namespace
}  // namespace leetk

#pragma GCC visibility push(hidden)
extern "C" {
void __ubsan_handle_type_mismatch_v1_abort(const leetk::Mismatch* found, uintptr_t address) {
    leetk::misaligned(found->file, found->line, *found->type, size_t(1) << found->log2_alignment,
                      address);
}
void __ubsan_handle_alignment_assumption_abort(const leetk::Assumption* found, uintptr_t address,
                                               uintptr_t alignment, uintptr_t) {
    leetk::misaligned(found->file, found->line, *found->type, alignment, address);
}
[[noreturn]] void __stack_chk_fail() {
    leetk::overrun_local(uintptr_t(__builtin_return_address(0)) - 1);
}
}
#pragma GCC visibility pop
