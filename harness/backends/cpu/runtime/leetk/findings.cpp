// What the checks of accesses have found: kept during a call of solve, each pair of places once, and
// written at its end, when it is known which races are none.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "leetk/runtime.h"
#include "leetk/watch.h"

namespace leetk {
namespace {

constexpr int most_findings = 256;
constexpr int most_places = 64;

Finding findings[most_findings];
int finding_count;

class Places {
public:
    bool has(uintptr_t pc) const {
        for (int i = 0; i < count; ++i) {
            if (pcs[i] == pc) return true;
        }
        return false;
    }
    void add(uintptr_t pc) {
        if (!has(pc) && count < most_places) pcs[count++] = pc;
    }
    void clear() { count = 0; }

private:
    uintptr_t pcs[most_places];
    int count;
};
Places idempotent, rechecked, stale, polled;

// A race with a read: of a store that writes what others write, too, or of a read that an atomic
// checks again.
bool is_benign(const Finding& f) {
    if (!f.read && !f.other_read) return false;
    if (f.with_atomic && rechecked.has(f.read ? f.pc : f.other)) return true;
    return !f.shared && idempotent.has(f.read ? f.other : f.pc);
}

const char* missing(const Finding& f) {
    const bool both_write = !f.read && !f.other_read;
    if (f.by_host) {
        return "is a cudaDeviceSynchronize() missing, or a wait for its stream or event?";
    }
    if (f.scope == Scope::launch) {
        return "is a cudaStreamWaitEvent missing, or a wait in host code?";
    }
    if (f.unfenced) return "is a __threadfence() missing before the atomic?";
    if (f.block_scope) return "the forms _block are atomic within a block only";
    if (f.lost_update && f.with_atomic) {
        return "an update is lost: what was read may be old when atomicExch puts the sum there";
    }
    if (f.lost_update) return "an update is lost: use an atomic function";
    if (both_write && !f.shared) return "do two threads have the same index?";
    if (f.scope == Scope::grid) return "blocks run in any order: is a second kernel needed?";
    const bool warp = f.scope == Scope::warp;
    if (f.overwritten) {
        return warp ? "is a __syncthreads() missing behind the read, or a __syncwarp() within a warp?"
                    : "is a __syncthreads() missing behind the read?";
    }
    return warp ? "is a __syncthreads() missing between them, or a __syncwarp() within a warp?"
                : "is a __syncthreads() missing between them?";
}

void describe_race(const Finding& f, char* text, size_t room) {
    char who[96];
    const unsigned* t = f.other_thread;
    const unsigned* b = f.other_block;
    int used = snprintf(who, sizeof who, "thread (%u, %u, %u)", t[0], t[1], t[2]);
    if (f.scope == Scope::grid) {
        snprintf(who + used, sizeof who - size_t(used), " of block (%u, %u, %u)", b[0], b[1], b[2]);
    }
    const char* does = f.read ? "read" : "written";
    const char* other_does = f.other_read ? "read" : "written";
    if (f.by_host) {
        snprintf(text, room, "a race on {where}: %s here by the host and %s at {other} by a kernel or "
                 "a copy that it has not waited for: %s", does, other_does, missing(f));
        return;
    }
    if (f.scope == Scope::launch) {
        snprintf(text, room, "a race on {where}: %s here%s and %s in another stream at {other}, and "
                 "nothing orders the two: %s", does, f.by_copy ? " by this call" : " by a kernel",
                 other_does, missing(f));
        return;
    }
    const char* orders = f.unfenced ? "nothing but an atomic" : "nothing";
    if (f.overwritten) {
        snprintf(text, room, "a race on {where}: read here and then overwritten by %s at {other} (the "
                 "next round of a loop?), and %s keeps that one back: %s", who, orders, missing(f));
        return;
    }
    snprintf(text, room, "a race on {where}: %s here and %s by %s at {other}, and %s orders the "
             "two: %s", does, other_does, who, orders, missing(f));
}

void describe(const Finding& f, char* text, size_t room) {
    const char* what = f.shared ? "shared memory" : "global memory";
    if (!strcmp(f.kind, "race")) {
        describe_race(f, text, room);
    } else if (!strcmp(f.kind, "input_written")) {
        snprintf(text, room, "a kernel changes {where}, an input: solve may not, be it to put back "
                 "later what was there");
    } else if (!strcmp(f.kind, "read_only_load")) {
        snprintf(text, room, "__ldg reads {where}, which the same kernel has written at {other}: a "
                 "GPU may give what was there before; load it plainly");
    } else if (!strcmp(f.kind, "uninitialised_read")) {
        snprintf(text, room, "{where} is read before anything was written there (%s starts "
                 "undefined)", what);
    } else {
        snprintf(text, room, "a kernel %s outside %s", f.read ? "read" : "wrote", f.spot.name);
    }
}

// Whether others will see it that an update was lost: at once, or when it is read.
bool is_lost(const Finding& f) {
    if (!f.lost_update || f.unfenced) return false;
    return f.argument || f.seen;
}

// An output that holds what one of two threads wrote.
bool is_chance(const Finding& f) {
    return !strcmp(f.kind, "race") && f.argument && !f.read && !f.other_read && !f.unfenced &&
           f.stays;
}

class Hex {
public:
    Hex(const char* bytes, unsigned count) {
        for (unsigned i = 0; i < count && i < 16; ++i) {
            snprintf(text + 2 * i, 3, "%02x", (unsigned char)bytes[i]);
        }
    }
    const char* get() const { return text; }

private:
    char text[33] = "";
};

void write(const Finding& f, bool benign) {
    char text[640];
    describe(f, text, sizeof text);
    Fault fault;
    fault.kind = f.kind;
    fault.pc = library().base + f.pc;
    fault.other = f.other ? library().base + f.other : 0;
    fault.buffer = f.spot.name;
    fault.byte = f.spot.byte;
    fault.size = f.spot.size;
    fault.bytes = f.bytes;
    fault.idle = f.idle;
    fault.doubtful = !strcmp(f.kind, "uninitialised_read") ||
                     (!strcmp(f.kind, "race") && !f.shared && (f.read || f.other_read));
    fault.lost = is_lost(f);
    fault.benign = benign;
    fault.read = f.read;
    fault.plain_update = f.plain_update;
    fault.stale = f.read && stale.has(f.pc);
    const unsigned known = is_chance(f) ? f.bytes : 0;
    const Hex before(f.before, known), after(f.after, known);
    fault.before = before.get();
    fault.after = after.get();
    // What decides, then the wider scope, then what says more.
    fault.weight = 8 * (is_lost(f) || is_chance(f)) + 2 * int(f.scope) + f.lost_update;
    fault.kernel = f.by_host || f.by_copy ? nullptr : f.kernel;
    fault.thread = f.thread;
    fault.block = f.block;
    write_report(fault, text);
}

// What the compiler's bounds check says: gcc/ubsan.cc, ubsan_instrument_bounds.
struct Descriptor {
    unsigned short kind;
    unsigned short info;  // of an integer: bit 0 for signed, then the logarithm of its width
    char name[1];         // in quotes, ends with a zero
};
struct OutOfBounds {
    const char* file;
    unsigned line;
    unsigned column;
    const Descriptor* array;
    const Descriptor* index;
};

long long value_of(const Descriptor& type, uintptr_t bits) {
    if ((type.info & 1) && (1u << (type.info >> 1)) <= 32) return int(bits);
    return (long long)bits;
}

}  // namespace

// The access follows; where it leads is seen then. An index that is the extent itself is told apart
// from others at its place: it may be no more than an end (checker.py).
void note_index(const OutOfBounds& found, uintptr_t index, uintptr_t pc) {
    const char* kind = "index_out_of_range";
    const char* extent = strchr(found.array->name, '[');
    const bool end = extent && value_of(*found.index, index) == strtoll(extent + 1, nullptr, 10);
    if (!checking || !in_kernel() || known_finding(kind, pc - library().base, end)) return;
    Finding made{};
    made.kind = kind;
    made.pc = pc - library().base;
    made.other = end;
    note_finding(made);
    Fault fault;
    fault.kind = kind;
    fault.pc = pc;
    fault.file = found.file;
    fault.line = int(found.line);
    char text[200];
    snprintf(text, sizeof text, "index %lld is out of range of %s",
             value_of(*found.index, index), found.array->name);
    write_report(fault, text);
}

Spot spot_of(const Mapping* mapping, uintptr_t address, uintptr_t begin, size_t bytes,
             bool shared) {
    Spot spot{};
    Variable variable;
    if (!mapping && variable_at(address, shared, &variable)) {
        spot.own = variable.own;
        begin = variable.begin;
        bytes = variable.bytes;
        snprintf(spot.name, sizeof spot.name, "%s", variable.name);
    } else if (!mapping) {
        snprintf(spot.name, sizeof spot.name, "%s",
                 !shared   ? "the program's variables"
                 : begin == reinterpret_cast<uintptr_t>(dynamic_shared()) ? "dynamic shared memory"
                           : "the __shared__ variables");
    } else if (mapping->line > 0) {
        snprintf(spot.name, sizeof spot.name, "the %zu bytes allocated in line %d", bytes,
                 mapping->line);
    } else {
        snprintf(spot.name, sizeof spot.name, "%s", mapping->name);
    }
    spot.byte = (long long)(address - begin);
    spot.size = (long long)bytes;
    return spot;
}

Finding* known_finding(const char* kind, uintptr_t pc, uintptr_t other) {
    for (int i = 0; i < finding_count; ++i) {
        Finding& known = findings[i];
        if (known.pc == pc && known.other == other && !strcmp(known.kind, kind)) return &known;
    }
    return nullptr;
}

// A race of a read and a write is told from the read.
Finding from_the_read(Finding f) {
    if (f.read || !f.other_read || f.by_host || f.by_copy) return f;
    auto exchange = [](auto& a, auto& b) {
        auto kept = a;
        a = b;
        b = kept;
    };
    exchange(f.pc, f.other);
    exchange(f.read, f.other_read);
    for (int i = 0; i < 3; ++i) {
        exchange(f.thread[i], f.other_thread[i]);
        exchange(f.block[i], f.other_block[i]);
    }
    return f;
}

void note_finding(const Finding& found) {
    if (Finding* known = known_finding(found.kind, found.pc, found.other)) {
        const bool seen = known->seen;
        *known = found;
        known->seen = seen;
    } else if (finding_count < most_findings) {
        findings[finding_count++] = found;
    }
}

void note_reader(Finding& known, const Moment& now) {
    if (!known.idle) return;
    if (known.when.phase != now.phase || known.when.block != now.block) {
        memset(known.readers, 0, sizeof known.readers);
    }
    known.when = now;
    known.readers[now.rank / 32] |= 1u << now.rank % 32;
}

void note_idempotent(uintptr_t pc) { idempotent.add(pc); }
void note_rechecked(uintptr_t pc) { rechecked.add(pc); }
void note_stale(uintptr_t pc) { stale.add(pc); }
void note_polled(uintptr_t pc) { polled.add(pc); }

void note_global_store(const Moment& now) {
    for (int i = 0; i < finding_count; ++i) {
        Finding& f = findings[i];
        const bool here = f.when.phase == now.phase && f.when.block == now.block;
        if (f.idle && here && (f.readers[now.rank / 32] >> now.rank % 32 & 1)) f.idle = false;
    }
}

void note_seen(uintptr_t pc) {
    for (int i = 0; i < finding_count; ++i) {
        if (findings[i].pc == pc || findings[i].other == pc) findings[i].seen = true;
    }
}

void conclude_findings(const void* begin, size_t bytes) {
    for (int i = 0; i < finding_count; ++i) {
        Finding& f = findings[i];
        if (!f.address || f.address - uintptr_t(begin) >= bytes) continue;
        f.stays = still_there(f);
        f.address = 0;
    }
}

void report_findings() {
    {
        DeviceAccess access;  // the heap's blocks tell where they begin
        conclude_findings(nullptr, ~size_t(0));
    }
    for (int i = 0; i < finding_count; ++i) {
        const Finding& f = findings[i];
        if (f.spot.own || !strcmp(f.kind, "index_out_of_range")) continue;  // written before
        if (f.unfenced && f.read && polled.has(f.pc)) continue;  // the flag is not what is at fault
        write(from_the_read(f), !strcmp(f.kind, "race") && is_benign(f));
    }
    forget_findings();
}

void forget_findings() {
    finding_count = 0;
    idempotent.clear();
    rechecked.clear();
    stale.clear();
    polled.clear();
}

}  // namespace leetk

#pragma GCC visibility push(hidden)
extern "C" void __ubsan_handle_out_of_bounds(const leetk::OutOfBounds* found, uintptr_t index) {
    leetk::note_index(*found, index, uintptr_t(__builtin_return_address(0)) - 1);
}
#pragma GCC visibility pop
