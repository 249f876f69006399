// What the parts of the runtime tell each other. Not for the API headers: those have core.h.
#ifndef LEETK_RUNTIME_H
#define LEETK_RUNTIME_H

#include <stdint.h>

#include "leetk/core.h"

#pragma GCC visibility push(hidden)

namespace leetk {

// CUDA's codes.
constexpr int invalid_value = 1;
constexpr int initialization_error = 3;
constexpr int invalid_handle = 400;
constexpr int cooperative_too_large = 720;

// ---- entry.cpp ----------------------------------------------------------------------------------

// Starts the runtime where nobody called leetk_open: in a program of its own, without the judge.
void ensure_open();

// ---- process.cpp --------------------------------------------------------------------------------

void own_process();  // this one is no fork of another
bool is_forked();    // by the solution

// ---- builtins.cpp -------------------------------------------------------------------------------

void open_builtins(bool open);
// The name of the variable that an access in their page was meant for; null for any other address.
const char* builtin_at(const void* address);

// ---- before.cpp, after.cpp, globals.cpp ---------------------------------------------------------

constexpr size_t variable_zone = 1024;
extern __thread char before_shared[variable_zone];
extern char before_data[variable_zone], after_data[variable_zone];
constexpr size_t variable_guard = 1 << 20;  // behind the zone: no memory, only addresses
extern char before_bss[variable_zone], after_bss[variable_zone + variable_guard];
void open_variable_zones();
void check_variable_zones();
// An address in the guard: `byte` counts from the start of the variables, which have `bytes`.
struct VariableFault {
    bool found;
    long long byte;
    size_t bytes;
};
VariableFault variable_fault(const void* address);

// ---- library.cpp --------------------------------------------------------------------------------

// The loaded object that this code is part of. Addresses in this process; `tls` is the calling
// thread's copy of the thread-local segment, whose first `tls_initialised` bytes are variables
// with an initialiser.
struct Library {
    uintptr_t base = 0;
    uintptr_t begin = ~uintptr_t(0), end = 0;
    uintptr_t text = ~uintptr_t(0), text_end = 0;
    char* tls = nullptr;
    size_t tls_bytes = 0;
    size_t tls_initialised = 0;
    const char* path = "";
};
const Library& find_library();
const Library& library();
bool in_code(uintptr_t pc);

// ---- shared.cpp ---------------------------------------------------------------------------------

void open_shared();
void prepare_shared(size_t dynamic_bytes);  // before a grid
void start_shared();                        // before a block
void finish_shared(const Site& site);       // after a grid: looks at the red zones
// A block's shared memory, kept while another block runs.
size_t shared_bytes();
void save_shared(char* to);
void load_shared(const char* from);
int& last_error();                          // of the calling host thread
size_t static_shared_total();               // of all functions together

// An address in a guard of shared memory: `byte` counts from the start of `what`, which has
// `bytes`. `what` is null for any other address.
struct SharedFault {
    const char* what;
    long long byte;
    size_t bytes;
};
SharedFault shared_fault(const void* address);
// Whether a variable of the running block lies there.
bool is_shared(const void* address);
// The static variables or the dynamic array, whichever the address lies in or right beside; `begin`
// is null if neither.
struct SharedPart {
    char* begin;
    size_t bytes;
    bool dynamic;
};
SharedPart shared_part(const void* address);

// ---- static_shared.cpp --------------------------------------------------------------------------

size_t static_shared_of(const void* function);
// The variable of the program (of shared memory: `shared`) at an address, for people; false when
// it is not known. `own`: the author doesn't know it (a guard of an initialisation, the runtime's).
struct Variable {
    char name[64];
    bool own;
    uintptr_t begin;
    size_t bytes;
};
bool variable_at(uintptr_t address, bool shared, Variable* variable);
// Whether some function declares more than CUDA allows; the message says which.
bool too_much_static_shared(char* message, size_t room);

// The tables of virtual functions in the library: how many were found, at most so many.
struct Table {
    uintptr_t begin;
    size_t bytes;
};
int find_tables(Table* tables, int most);

// ---- vtables.cpp --------------------------------------------------------------------------------

bool has_tables();
// What was copied from the host to the device or the other way: the other side has other tables.
void exchange_tables(void* copied, size_t bytes, bool to_device);
// What an access there means; null for any other address.
const char* table_fault(const void* address);

// ---- regions.cpp --------------------------------------------------------------------------------

// A mapping of ours: [guard][red zone][data][red zone][guard], where the zones and the data are
// `open`. `borrowed` memory (memory_register) has none of that and isn't ours.
struct Mapping {
    char* reserved;
    size_t reserved_bytes;
    char* open;
    size_t open_bytes;
    char* data;
    size_t bytes;
    RegionKind kind;
    bool argument;
    bool input;      // an argument that solve may not change
    bool borrowed;
    bool heap;       // the device's heap (heap.cpp), all of it
    bool shared;     // with forked processes
    int protection;  // of the open part, while it is accessible
    char name[48];
    const char* file;
    int line;
    unsigned fill;  // the word in the red zones of memory_alloc
    struct Shadow* shadow;  // of kernels that are checked: shadow.cpp
};
// Fit for a signal handler.
const Mapping* find_mapping(const void* address);
void add_mapping(const Mapping& mapping);
void remove_mapping(const void* data);
bool is_mapped(const void* address);  // whatever it is
Mapping* mapping_at(int index);  // null after the last
bool device_open();
// Around a launch. See regions.cpp.
void open_for_launch();
void close_after_launch();
void begin_access();  // before a call of solve

void check_pointers(const Site& site, const Config& config);

// ---- memory.cpp ---------------------------------------------------------------------------------

void* map_argument(int fd, long long offset, size_t bytes, const char* name, bool input);
void unmap_arguments();
void check_red_zones();
bool was_freed(const void* address);  // not long ago

// ---- poison.cpp ---------------------------------------------------------------------------------

void set_poison(int variant);
// Fills fresh memory, without touching its pages where it is large.
// `shared` memory is always touched.
void poison_fresh(char* begin, size_t bytes, int protection, bool shared);
bool is_poison(const char* begin, size_t bytes, unsigned word);

// ---- scheduler.cpp ------------------------------------------------------------------------------

// Lets another block have a turn, or else the other threads of this one.
void preempt(bool block, bool threads);
// Lets other blocks run, though this one could go on; `hold`: for as long as they can,
// or until they have polled so often.
void pass_block(int hold);

// ---- pipeline.cpp -------------------------------------------------------------------------------

void finish_copies();  // those that the running block has started, before it is put aside
void forget_copies();  // before a block

// ---- limits.cpp ---------------------------------------------------------------------------------

// How many blocks a multiprocessor with `capacity` bytes of shared memory holds, of so many threads
// and with so much shared memory, static and dynamic.
int blocks_per_multiprocessor(int threads, size_t shared, size_t capacity);

// ---- api/ ---------------------------------------------------------------------------------------

bool is_stream(const void* stream);
// A __managed__ variable, or a __device__ variable whose address the host has asked for.
bool is_symbol(const void* pointer);

// ---- errors.cpp ---------------------------------------------------------------------------------

const char* error_call();  // what left the last error: a function's name, or "launch"

// ---- report.cpp ---------------------------------------------------------------------------------

struct Fault {
    const char* kind = "";
    bool fatal = false;
    uintptr_t pc = 0;  // an address in this process
    const char* file = "";
    int line = 0;
    const char* buffer = "";
    long long byte = 0;
    long long size = 0;
    unsigned bytes = 0;             // of the access
    uintptr_t other = 0;            // the other access of a race, an address in this process
    bool idle = false;
    int weight = 0;
    bool doubtful = false;
    bool benign = false;
    bool read = false;
    bool plain_update = false;
    bool stale = false;
    bool lost = false;
    const char* before = "";        // the bytes that two threads wrote, in hexadecimal
    const char* after = "";
    const char* kernel = nullptr;   // of the past: with thread and block
    const unsigned* thread = nullptr;
    const unsigned* block = nullptr;
};
const char* base_name(const char* path);
void open_reports(void* area, long long bytes);
// Fit for a signal handler. Adds kernel, block and thread when called in a kernel.
void write_report(const Fault& fault, const char* message);
// Writes the report and ends the process by SIGABRT.
[[noreturn]] void fail(const Fault& fault, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// ---- signals.cpp --------------------------------------------------------------------------------

void install_handlers();
void note_call(bool begins);  // of solve
void restore_handlers();

}  // namespace leetk

#pragma GCC visibility pop

#endif
