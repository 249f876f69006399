// Turns faults into reports.
//
// A write in a guard, and every access that no allocation explains, is reported and ends the
// process by the very signal: the handler restores the default action and returns to the faulting
// instruction. A read in a guard is reported once for each place in the program and then served
// with poison, because a GPU serves such reads, too: neighbouring memory is mapped there. Whether
// the value was used shows in the output. Shared memory has closer bounds.
//
// Integer division by zero ends the process here. A GPU gives an unspecified value instead.
//
// Before the judge ends a call that takes too long, it asks with a signal where the call is.
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "leetk/backtrace.h"
#include "leetk/fiber.h"
#include "leetk/heap.h"
#include "leetk/machine.h"
#include "leetk/runtime.h"
#include "leetk/scheduler.h"

namespace leetk {
namespace {

constexpr int handled[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
constexpr size_t alternate_bytes = 64 * 1024;
char alternate[alternate_bytes];

constexpr int most_sites = 64;
uintptr_t sites[most_sites];
int site_count;
constexpr int most_served = 8192;
int served;

volatile sig_atomic_t dying;

struct Access {
    int signal;
    const char* address;
    bool has_address;
    bool write;
    bool kernel;
    uintptr_t pc;
};

#if defined(__x86_64__) && defined(__linux__)
bool is_write(const ucontext_t* c) { return c->uc_mcontext.gregs[REG_ERR] & 2; }
#elif defined(__aarch64__) && defined(__linux__)
// From the instruction (Arm Architecture Reference Manual, C4.1, "Loads and Stores"): bit 22 tells
// a load from a store, apart from atomics and from the store of a whole vector register.
bool stores(uint32_t code) {
    if ((code & 0x0a000000) != 0x08000000) return true;
    bool single = (code & 0x38000000) == 0x38000000;
    if (single && (code & 0x01200c00) == 0x00200000) return true;
    if (single && (code & 0xc4c00000) == 0x04800000) return true;
    if (single) return (code & 0x00c00000) == 0;
    return !(code & 0x00400000);
}
// From the exception syndrome, in a record of its own behind the registers (asm/sigcontext.h),
// whose bit 6 says "write". Emulators leave it out.
bool is_write(const ucontext_t* c) {
    const unsigned char* at = c->uc_mcontext.__reserved;
    const unsigned char* end = at + sizeof c->uc_mcontext.__reserved;
    while (at + 16 <= end) {
        uint32_t head[2];
        memcpy(head, at, sizeof head);
        if (head[0] == 0x45535201u) {
            uint64_t syndrome;
            memcpy(&syndrome, at + 8, sizeof syndrome);
            return syndrome >> 6 & 1;
        }
        if (head[0] == 0 || head[1] < 8) break;
        at += head[1];
    }
    if (pc_of(c) == uintptr_t(c->uc_mcontext.fault_address)) return false;
    return stores(*reinterpret_cast<const uint32_t*>(pc_of(c)));
}
#else
bool is_write(const ucontext_t*) { return true; }
#endif

// x86-64 faults without an address both for addresses that can't exist and for vector moves that
// need an aligned one (movaps, movdqa, movntps and kin, with and without VEX prefix).
bool moves_aligned(uintptr_t pc) {
#if defined(__x86_64__)
    if (!in_code(pc)) return false;
    const unsigned char* at = reinterpret_cast<const unsigned char*>(pc);
    bool wide = false;
    if (*at == 0xc5 || *at == 0xc4) {
        at += *at == 0xc5 ? 1 : 2;
        wide = (*at++ & 3) == 1;
    } else {
        if (*at == 0x66) wide = *at++ == 0x66;
        if ((*at & 0xf0) == 0x40) ++at;
        if (*at++ != 0x0f) return false;
    }
    if (*at == 0x28 || *at == 0x29 || *at == 0x2b) return true;
    return wide && (*at == 0x6f || *at == 0x7f || *at == 0xe7);
#else
    (void)pc;
    return false;
#endif
}

Fault fault_of(const Access& access, const char* kind, bool fatal) {
    Fault fault;
    fault.kind = kind;
    fault.fatal = fatal;
    fault.pc = access.pc;
    return fault;
}

// Where an access lies that missed an object of `bytes` bytes.
void say_where(char* text, size_t room, long long byte, long long bytes, const char* what) {
    if (byte < 0) {
        snprintf(text, room, "%lld byte%s before the start of %s", -byte, byte == -1 ? "" : "s",
                 what);
    } else {
        snprintf(text, room, "byte %lld of %s, which has %lld bytes", byte, what, bytes);
    }
}

bool first_time(uintptr_t pc) {
    for (int i = 0; i < site_count; ++i) {
        if (sites[i] == pc) return false;
    }
    if (site_count == most_sites) return false;
    sites[site_count++] = pc;
    return true;
}

// Makes the page under a guard's address readable and poisoned.
bool serve(const char* address) {
    if (served++ >= most_served) return false;
    size_t page = size_t(sysconf(_SC_PAGESIZE));
    uintptr_t begin = reinterpret_cast<uintptr_t>(address) / page * page;
    void* at = reinterpret_cast<void*>(begin);
    if (mprotect(at, page, PROT_READ | PROT_WRITE) != 0) return false;
    poison(at, page);
    return mprotect(at, page, PROT_READ) == 0;
}

// An access in a guard around `what`. True if the program may go on.
bool in_guard(const Access& access, const char* what, long long byte, long long bytes,
              bool served_by_gpu = true) {
    char where[160];
    char message[320];
    say_where(where, sizeof where, byte, bytes, what);
    bool fatal = access.write || !served_by_gpu;
    if (!fatal && !serve(access.address)) fatal = true;
    if (!fatal && !first_time(access.pc)) return true;
    Fault fault = fault_of(access, access.write ? "out_of_bounds_write" : "out_of_bounds_read",
                           fatal);
    fault.buffer = what;
    fault.byte = byte;
    fault.size = bytes;
    const char* who = access.kernel ? "a kernel" : device_open() ? "a copy" : "host code";
    const bool no_size = bytes == 0 && !strcmp(what, "dynamic shared memory");
    snprintf(message, sizeof message, "%s %s %s%s", who, access.write ? "wrote" : "read", where,
             no_size ? ": the launch gives it no size, <<<grid, block, bytes>>>" : "");
    write_report(fault, message);
    return !fatal;
}

bool in_mapping(const Access& access, const Mapping& mapping) {
    long long byte = access.address - mapping.data;
    const char* end = mapping.open + mapping.open_bytes;
    bool open = access.address >= mapping.open && access.address < end;
    if (device_open() || (mapping.kind != region_device && !open)) {
        return in_guard(access, mapping.name, byte, (long long)mapping.bytes);
    }
    char message[320];
    snprintf(message, sizeof message,
             "host code %s device memory (%s, byte %lld); use cudaMemcpy to get at it from the "
             "host",
             access.write ? "wrote" : "read", mapping.name, byte);
    Fault fault = fault_of(access, "host_access", true);
    fault.buffer = mapping.name;
    fault.byte = byte;
    fault.size = (long long)mapping.bytes;
    write_report(fault, message);
    return false;
}

void report_overflow(const Access& access) {
    Fault fault = fault_of(access, "stack_overflow", true);
    const char* kernel = "a thread's stack overflowed: endless recursion, or too much local data";
    const char* host = "the host stack overflowed: endless recursion, or too large an array";
    write_report(fault, access.kernel ? kernel : host);
}

// A device's thread has 1 KiB for functions that call themselves, whose frames nvcc can't add up. Theirs
// here are larger, some times.
constexpr size_t larger_frames = 8;
constexpr int least_calls = 8;

bool too_deep(const Recursion& recursion) {
    return recursion.calls >= least_calls && recursion.bytes > larger_frames * stack_limit();
}

void report_recursion(const Access& access, const Recursion& recursion) {
    char message[320];
    snprintf(message, sizeof message,
             "a thread's stack overflowed: a function that called itself %d times took %zu bytes, where "
             "a GPU's thread has %zu; use a loop, or have cudaDeviceSetLimit(cudaLimitStackSize, ...) "
             "raise that",
             recursion.calls - 1, recursion.bytes, stack_limit());
    write_report(fault_of(access, "stack_overflow", true), message);
}

// Whether the fault is a part of a stack that is opened now; `over` when it isn't, because a GPU's
// stack would have overflowed. The system may have had no room for the frame of a signal (of
// preempt.cpp) and then says no address; the signal is lost, and another will come.
bool deeper(const Access& access, uintptr_t stack_pointer, bool& over) {
    const char* at = access.address;
    if (!access.has_address) at = reinterpret_cast<const char*>(stack_pointer) - step_of_stack;
    if (!in_closed_stack(at)) return false;
    const Recursion recursion = deepest_recursion();
    over = too_deep(recursion);
    if (over) {
        report_recursion(access, recursion);
    } else {
        open_stack(at, recursion.calls < least_calls);
    }
    return !over;
}

void report_wild(const Access& access) {
    char message[320];
    const char* verb = access.write ? "wrote to" : "read";
    if (!access.has_address && moves_aligned(access.pc)) {
        snprintf(message, sizeof message,
                 "misaligned address: a vector access needs a multiple of its size");
    } else if (!access.has_address) {
        snprintf(message, sizeof message,
                 "%s used an address that can't exist: an index far out of range, or a pointer "
                 "that was never set",
                 access.kernel ? "a kernel" : "host code");
    } else if (reinterpret_cast<uintptr_t>(access.address) < 65536) {
        snprintf(message, sizeof message, "%s %s address 0x%zx: a null pointer was used",
                 access.kernel ? "a kernel" : "host code", verb, size_t(access.address));
    } else {
        snprintf(message, sizeof message, "%s %s address 0x%zx, which %s",
                 access.kernel ? "a kernel" : "host code", verb, size_t(access.address),
                 was_freed(access.address) ? "was freed" : "belongs to no allocation");
    }
    if (access.kernel && heap_ran_out()) {
        size_t used = strlen(message);
        snprintf(message + used, sizeof message - used,
                 " (malloc in a kernel gave a null pointer: the device's heap has %zu bytes, "
                 "cudaDeviceSetLimit sets it)", heap_limit());
    }
    if (const int error = peek_error()) {
        size_t used = strlen(message);
        snprintf(message + used, sizeof message - used, " (%s had failed before: %s)", error_call(),
                 error_text(error));
    }
    write_report(fault_of(access, access.kernel ? "illegal_access" : "signal", true), message);
}

void report_builtin(const Access& access, const char* name) {
    char message[160];
    snprintf(message, sizeof message,
             "host code read %s, which only kernels have; nvcc does not link this", name);
    write_report(fault_of(access, "host_access", true), message);
}

// True if the program may go on.
bool memory_fault(const Access& access, uintptr_t stack_pointer) {
    uintptr_t at = reinterpret_cast<uintptr_t>(access.address);
    bool over = false;
    if (deeper(access, stack_pointer, over)) return true;
    if (over) return false;
    if (in_stack_guard(access.address) && at - 4096 < stack_pointer &&
        stack_pointer - at + 4096 < stack_bytes) {
        report_overflow(access);
        return false;
    }
    if (!access.has_address) {
        report_wild(access);
        return false;
    }
    if (const Mapping* mapping = find_mapping(access.address)) return in_mapping(access, *mapping);
    if (const char* what = table_fault(access.address)) {
        write_report(fault_of(access, access.kernel ? "illegal_access" : "signal", true), what);
        return false;
    }
    if (const char* name = builtin_at(access.address)) {
        report_builtin(access, name);
        return false;
    }
    VariableFault variables = variable_fault(access.address);
    if (variables.found) {
        return in_guard(access, "the program's variables", variables.byte,
                        (long long)variables.bytes);
    }
    SharedFault shared = shared_fault(access.address);
    if (shared.what) {
        // A device gives out shared memory 128 bytes at a time and refuses what lies behind
        // (measured on an H200), while 1 KiB of its own lies before.
        long long given = ((long long)shared.bytes + 127) / 128 * 128;
        bool served_by_gpu = shared.byte >= -1024 && shared.byte < given;
        return in_guard(access, shared.what, shared.byte, (long long)shared.bytes, served_by_gpu);
    }
    if (!access.kernel && at + 65536 > stack_pointer && at < stack_pointer + 65536) {
        report_overflow(access);
    } else {
        report_wild(access);
    }
    return false;
}

void other_fault(const Access& access) {
    const char* what = "a trap or an illegal instruction";
    if (access.signal == SIGFPE) what = "integer division by zero";
    char message[128];
    snprintf(message, sizeof message, "%s in %s", what, access.kernel ? "a kernel" : "host code");
    write_report(fault_of(access, access.kernel ? "trap" : "signal", true), message);
}

void handler(int signal, siginfo_t* info, void* raw) {
    if (dying) {
        restore_handlers();
        return;
    }
    const ucontext_t* context = static_cast<const ucontext_t*>(raw);
    Access access{};
    access.signal = signal;
    access.kernel = in_kernel();
    access.pc = pc_of(context);
    if (!in_code(access.pc) || in_runtime(access.pc)) access.pc = caller_in_code();
    bool go_on = false;
    if (signal == SIGSEGV || signal == SIGBUS) {
        access.address = static_cast<const char*>(info->si_addr);
        access.has_address = info->si_code > 0 && info->si_code != 0x80;  // SI_KERNEL
        access.write = is_write(context);
        go_on = memory_fault(access, sp_of(context));
    } else {
        other_fault(access);
    }
    if (go_on) return;
    dying = 1;
    restore_handlers();
}

volatile sig_atomic_t in_call;

// An endless loop of which the compiler left nothing but a jump to itself has no line of its own;
// the table of lines gives it that of the code before it.
bool jumps_to_itself(uintptr_t pc) {
#if defined(__x86_64__)
    return memcmp(reinterpret_cast<const void*>(pc), "\xeb\xfe", 2) == 0;
#elif defined(__aarch64__)
    return *reinterpret_cast<const uint32_t*>(pc) == 0x14000000u;
#else
    return false;
#endif
}

// One report for each place on the way up: only the judge can tell the author's from the runtime's.
void report_place() {
    const Site* site = scheduler.site;
    char who[640] = "host code was running";
    if (site) {
        snprintf(who, sizeof who, "kernel %.500s, launched at %.100s:%d, was running", site->kernel,
                 base_name(site->file), site->line);
    }
    uintptr_t places[8] = {};
    const int count = callers_in_code(places, 8);
    for (int i = 0; i < (count ? count : 1); ++i) {
        const bool empty = places[i] && jumps_to_itself(places[i]);
        char message[700];
        snprintf(message, sizeof message, "%s%s", who,
                 empty ? " an endless loop that does nothing" : "");
        Fault fault;
        fault.kind = "running";
        fault.pc = empty ? 0 : places[i];
        write_report(fault, message);
        if (empty) return;
    }
}

void say_where_it_is(int number, siginfo_t*, void*) {
    if (in_call && !dying) report_place();
    raise(number);  // the action is the default one by now
}

}  // namespace

void note_call(bool begins) { in_call = begins; }

void install_handlers() {
    stack_t stack{};
    stack.ss_sp = alternate;
    stack.ss_size = alternate_bytes;
    sigaltstack(&stack, nullptr);
    struct sigaction action {};
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGVTALRM);  // preempt.cpp switches stacks
    for (int signal : handled) sigaction(signal, &action, nullptr);
    action.sa_sigaction = say_where_it_is;
    action.sa_flags |= SA_RESETHAND;
    sigaction(SIGUSR2, &action, nullptr);
    site_count = 0;
    served = 0;
}

void restore_handlers() {
    for (int number : handled) signal(number, SIG_DFL);
}

}  // namespace leetk
