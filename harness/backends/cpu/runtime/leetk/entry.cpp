// The C interface of a built solution: what the runner (harness/backends/cpu/runner.py) calls.
//
//     leetk_check   once after loading
//     leetk_open    before each call, with the place for reports
//     leetk_map     for each array argument of a call; leetk_unmap for all of them after it
//     leetk_processes, leetk_begin
//                   before the call of solve: how many processes may share a launch; the order of
//                   threads, and which poison
//     leetk_check_accesses
//                   before leetk_begin: whether kernels are checked, in a library compiled for it;
//                   2: and loads in races find what was there before; 4: some of them; 3, 5, 6, 7:
//                   and threads or blocks take turns, or a block is held back (turns.h)
//     leetk_end     after it: waits for the device, checks the red zones
//
// In a program of its own nobody calls these; the first use of the API then opens the runtime, with
// $LEETK_ORDER for the order of threads, $LEETK_SEED for its seed and $LEETK_PROCESSES for how many
// may work on one launch.
#include <stdio.h>
#include <stdlib.h>

#include "leetk/heap.h"
#include "leetk/runtime.h"
#include "leetk/scheduler.h"
#include "leetk/stale.h"
#include "leetk/stream_order.h"
#include "leetk/trace.h"
#include "leetk/turns.h"
#include "leetk/watch.h"

#define LEETK_EXPORT extern "C" __attribute__((visibility("default"), used))

namespace leetk {
namespace {

bool opened;

void open_runtime() {
    if (opened) return;
    opened = true;
    own_process();
    find_library();
    open_shared();
    open_variable_zones();
    install_handlers();
    open_builtins(false);
    const char* order = getenv("LEETK_ORDER");
    const char* seed = getenv("LEETK_SEED");
    const char* processes = getenv("LEETK_PROCESSES");
    set_processes(processes ? atoi(processes) : 1);
    begin_order(order ? order : "forward", seed ? strtoull(seed, nullptr, 10) : 0);
}

}  // namespace

void ensure_open() {
    if (__builtin_expect(!opened, 0)) open_runtime();
}

}  // namespace leetk

// `report_area` is the start of the judge's report area of that many bytes (wire.REPORT_BYTES).
LEETK_EXPORT void leetk_open(void* report_area, long long bytes) {
    leetk::open_reports(report_area, bytes);
    leetk::open_runtime();
}

// Whether the library breaks a rule that nvcc enforces at compile time. 0 if not; else the message
// says which.
LEETK_EXPORT int leetk_check(char* message, int bytes) {
    leetk::ensure_open();
    return leetk::too_much_static_shared(message, size_t(bytes));
}

// Maps the buffer whose data begin at `offset` of the file, with red zones of `front` and `back`
// bytes beside them. `input`: solve may not change it; it can, and the judge finds out by comparing.
// Returns the data's address, at the same place in a page, or null.
LEETK_EXPORT void* leetk_map(int fd, long long offset, long long nbytes, long long front,
                             long long back, const char* name, int input) {
    (void)front, (void)back;
    leetk::ensure_open();
    return leetk::map_argument(fd, offset, size_t(nbytes), name, input != 0);
}

LEETK_EXPORT void leetk_unmap(void) { leetk::unmap_arguments(); }

// How many processes may work on one launch, from now on.
LEETK_EXPORT void leetk_processes(int most) {
    leetk::ensure_open();
    leetk::set_processes(most);
}

// Whether the accesses of kernels are checked from now on (watch.cpp).
LEETK_EXPORT void leetk_check_accesses(int on) {
    leetk::ensure_open();
    leetk::set_watching(false, on != 0);
    leetk::begin_stale(on == 2   ? leetk::StaleReads::all
                       : on == 4 ? leetk::StaleReads::some
                                 : leetk::StaleReads::none);
    leetk::set_turns(on == 3   ? leetk::Turns::threads
                     : on == 5 ? leetk::Turns::blocks
                     : on == 6 ? leetk::Turns::late
                     : on == 7 ? leetk::Turns::mixed
                               : leetk::Turns::none);
    leetk::forget_findings();
}

// `order`: forward, backward or shuffled by `seed`. `poison`: 0 or 1, the pattern.
LEETK_EXPORT void leetk_begin(const char* order, unsigned long long seed, int poison) {
    leetk::ensure_open();
    leetk::get_error();
    leetk::set_poison(poison);
    leetk::install_handlers();
    leetk::own_process();
    leetk::begin_access();
    leetk::begin_heap();
    leetk::begin_order(order, seed);
    leetk::note_call(true);
}

// Returns the code that cudaPeekAtLastError gives.
LEETK_EXPORT int leetk_end(void) {
    leetk::note_call(false);
    leetk::check_settled();
    leetk::synchronize();
    leetk::order_host_for_all();
    if (leetk::checking) leetk::report_findings();
    leetk::check_red_zones();
    leetk::check_variable_zones();
    return leetk::peek_error();
}

// What failed: "cudaMemcpy", or "launch".
LEETK_EXPORT const char* leetk_error_call(void) { return leetk::error_call(); }

// The same with its name and text; both are cut to fit.
LEETK_EXPORT int leetk_peek_error(char* name, int name_bytes, char* message, int message_bytes) {
    int code = leetk::peek_error();
    const char* known = leetk::error_name(code);
    const char* text = leetk::error_text(code);
    if (name_bytes > 0) snprintf(name, size_t(name_bytes), "%s", known ? known : "unknown");
    if (message_bytes > 0) snprintf(message, size_t(message_bytes), "%s", text ? text : "");
    return code;
}
