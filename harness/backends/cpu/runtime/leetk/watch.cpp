// Looks at each access as it happens, thread after thread in one order, and finds what goes wrong
// in another: two threads at one place with nothing that orders them (conflict.cpp, order.cpp).
//
// A store's effect is seen at the next access, whichever thread's it is: nobody else writes in
// between.
#include "leetk/watch.h"

#include <string.h>

#include "leetk/conflict.h"
#include "leetk/fiber.h"
#include "leetk/heap.h"
#include "leetk/runtime.h"
#include "leetk/scheduler.h"
#include "leetk/stale.h"

namespace leetk {

bool checking;

namespace {

Shadow* static_shadow;
Shadow* dynamic_shadow;
Shadow* variable_shadow;

// The latest store. `race`: with another access, described in `found` if that is new.
struct Pending {
    uintptr_t address;
    uintptr_t pc;
    unsigned bytes;
    char before[16];
    Cells cells;
    bool race, is_new;
    bool over_raced;  // over what a race has left
    bool into_input;  // and nobody has been told
    Finding found, input;
};
Pending pending;

// The last store is over: did it change anything?
void settle_now() {
    const bool silent = memcmp(pending.before, reinterpret_cast<const void*>(pending.address),
                               pending.bytes) == 0;
    if (silent && stale_reads != StaleReads::none) {
        // The write before still counts.
        for (size_t i = 0; i < pending.cells.count; ++i) undo_write(pending.cells, i);
    } else if (silent) {
        for (size_t i = 0; i < pending.cells.count; ++i) {
            Cell& cell = pending.cells.first[i];
            cell.write.silent = true;
            if (cell.plain.pc == cell.write.pc) cell.plain.silent = true;
        }
    }
    if (pending.race && silent) note_idempotent(pending.pc);
    if (silent ? pending.over_raced : pending.race) {
        for (size_t i = 0; i < pending.cells.count; ++i) pending.cells.first[i].write.raced = true;
    }
    if (pending.race && !silent && pending.is_new) {
        memcpy(pending.found.before, pending.before, pending.bytes);
        memcpy(pending.found.after, reinterpret_cast<const void*>(pending.address), pending.bytes);
        note_finding(pending.found);
    }
    if (pending.into_input && !silent) note_finding(pending.input);
    pending.bytes = 0;
}

inline void settle() {
    if (__builtin_expect(stale_reads != StaleReads::none, 0)) come_back();
    if (pending.bytes) settle_now();
}

bool on_stack(uintptr_t address) {
    return address - reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) < stack_bytes;
}

// The part of shared memory that was touched last.
SharedPart recent;

inline bool in_recent(uintptr_t address) {
    return address - reinterpret_cast<uintptr_t>(recent.begin) < recent.bytes;
}

bool find_place(uintptr_t address, Place& place) {
    if (!in_recent(address)) {
        if (on_stack(address)) return false;
        const SharedPart part = shared_part(reinterpret_cast<const void*>(address));
        if (part.begin) recent = part;
        if (!part.begin) return find_global(address, place);
    }
    place = {reinterpret_cast<uintptr_t>(recent.begin), recent.bytes,
             recent.dynamic ? &dynamic_shadow : &static_shadow, nullptr, true};
    return true;
}

inline void keep_read(Cell& cell, const Stamp& stamp, bool shared) {
    Stamp& one = cell.reads[0];
    Stamp& two = cell.reads[1];
    const Moment& now = stamp.when;
    const bool same_one = one.when.rank == now.rank && one.when.block == now.block;
    if (same_one || !is_valid(one, now, shared)) {
        one = stamp;
    } else {
        two = stamp;
    }
}

void keep(Cell& cell, const Stamp& stamp, Use use, const Place& place) {
    if (use == Use::load) {
        keep_read(cell, stamp, place.shared);
        return;
    }
    const Stamp& old = cell.plain;
    const bool again = is_valid(old, stamp.when, place.shared) && old.when.epoch < stamp.when.epoch;
    cell.write = stamp;
    cell.write.again = again;
    const bool last_wins = stamp.manner == Manner::exchange && place.is_argument();
    if (!is_atomic(stamp.manner) || last_wins) cell.plain = cell.write;
    cell.reads[0].when.phase = cell.reads[1].when.phase = 0;
}

// A thread reads plainly, and then asks again by an atomic: to compare and swap, or to spare itself
// an atomicMax. What others do to that place in between is then no harm. Of a result nobody can ask
// by adding or by putting another in its place.
void note_asked_again(const Cell& cell, const Act& act, const Place& place) {
    const bool counts = act.manner == Manner::add || act.manner == Manner::exchange;
    if (counts && place.is_argument()) return;
    for (const Stamp& read : cell.reads) {
        const bool own = read.when.rank == act.now.rank && read.when.block == act.now.block;
        if (own && !is_atomic(read.manner) && is_valid(read, act.now, place.shared)) {
            note_rechecked(read.pc);
        }
    }
}

const Stamp* read_by(const Cell& cell, const Moment& now, bool shared) {
    for (const Stamp& read : cell.reads) {
        if (is_valid(read, now, shared) && read.when.rank == now.rank &&
            read.when.block == now.block) {
            return &read;
        }
    }
    return nullptr;
}

// Whether a load finds nothing but what memory was filled with.
bool is_unwritten(const Cells& cells, const Place& place, const Act& act) {
    if (!place.shared && (!place.mapping || place.mapping->argument)) return false;
    if (!place.shared && place.mapping->borrowed) return false;
    for (size_t i = 0; i < cells.count; ++i) {
        const Stamp& write = cells.first[i].write;
        if (place.shared ? is_valid(write, act.now, true) : write.when.phase != 0) return false;
    }
    const unsigned word = place.shared ? poison_word() : place.mapping->fill;
    const char* pattern = reinterpret_cast<const char*>(&word);
    const char* at = reinterpret_cast<const char*>(act.address);
    for (unsigned i = 0; i < act.bytes; ++i) {
        if (at[i] != pattern[(act.address + i) % 4]) return false;
    }
    return place.shared || act.bytes >= 4;
}

// What an access comes to: the first race in its cells.
struct Outcome {
    bool race, is_new, over_raced;
    Finding found;
};

void meet(Outcome& outcome, const Cell& cell, const Place& place, const Act& act) {
    const Conflict conflict = conflict_in(cell, act, place);
    if (!conflict.with) return;
    outcome.race = true;
    // The wider the scope, the plainer the example.
    const Finding* known = known_finding("race", act.pc - library().base, conflict.with->pc);
    outcome.is_new = !known || known->scope < scope_of(conflict.with->when, act.now) ||
                     (known->unfenced && !conflict.unfenced);
    if (!outcome.is_new) return;
    const bool replaces = act.use == Use::store || act.manner == Manner::exchange;
    const Stamp* read = replaces ? read_by(cell, act.now, place.shared) : nullptr;
    outcome.found = race_of(place, act, conflict, read);
    outcome.found.overwritten = conflict.other_read ? is_valid(cell.plain, act.now, place.shared)
                                                    : act.use == Use::load && conflict.with->again;
}

// The caller's data, be they put back or not.
void watch_input(const Place& place, const Act& act) {
    constexpr const char* kind = "input_written";
    pending.into_input = place.mapping && place.mapping->input &&
                         !known_finding(kind, act.pc - library().base, 0);
    if (pending.into_input) pending.input = describe(kind, place, act);
}

// __ldg may find what was there before the kernel wrote.
void note_read_only_load(const Cells& cells, const Place& place, const Act& act) {
    constexpr const char* kind = "read_only_load";
    for (size_t i = 0; i < cells.count; ++i) {
        const Stamp& write = cells.first[i].write;
        if (write.silent || !is_valid(write, act.now, place.shared)) continue;
        if (known_finding(kind, act.pc - library().base, write.pc)) continue;
        Finding found = describe(kind, place, act);
        found.other = write.pc;
        note_finding(found);
    }
}

void watch_store(const Cells& cells, const Act& act, const Outcome& outcome) {
    pending.race = outcome.race;
    pending.is_new = outcome.is_new;
    pending.over_raced = outcome.over_raced;
    if (outcome.is_new) pending.found = outcome.found;
    pending.cells = cells;
    pending.address = act.address;
    pending.pc = act.pc - library().base;
    pending.bytes = act.bytes < sizeof pending.before ? act.bytes : sizeof pending.before;
    memcpy(pending.before, reinterpret_cast<const void*>(act.address), pending.bytes);
}

void note_outside(const Place& place, const Act& act) {
    const char* kind = act.use == Use::load ? "out_of_bounds_read" : "out_of_bounds_write";
    if (known_finding(kind, act.pc - library().base, 0)) return;
    note_finding(describe(kind, place, act));
}

void note_unwritten(const Place& place, const Act& act) {
    const char* kind = "uninitialised_read";
    Finding* known = known_finding(kind, act.pc - library().base, 0);
    if (!known) {
        Finding found = describe(kind, place, act);
        found.idle = true;
        note_finding(found);
        known = known_finding(kind, found.pc, 0);
    }
    if (known) note_reader(*known, act.now);
}

// A thread reads what a race has left: in good order, and not as its own next step (`count++`).
bool sees_race(const Cell& cell, const Moment& now, bool shared) {
    const Stamp& write = cell.write;
    if (!write.raced) return false;
    if (!is_valid(write, now, shared)) return !shared && write.when.phase != 0;
    const bool own = write.when.block == now.block && write.when.rank == now.rank;
    if (own && write.when.epoch == now.epoch) return false;
    return precedence(write.when, now) == Precedence::certain;
}

Outcome visit(const Cells& cells, const Place& place, const Act& act) {
    const unsigned pc = unsigned(act.pc - library().base);
    const Stamp stamp = {act.now, pc, act.manner, act.block_scope, false, false, false};
    Outcome outcome;
    outcome.race = outcome.is_new = outcome.over_raced = false;
    for (size_t i = 0; i < cells.count; ++i) {
        const Stamp& write = cells.first[i].write;
        outcome.over_raced |= write.raced && is_valid(write, act.now, place.shared);
        if (act.use != Use::store && sees_race(cells.first[i], act.now, place.shared)) {
            note_seen(cells.first[i].write.pc);
        }
        if (is_atomic(act.manner)) note_asked_again(cells.first[i], act, place);
        if (!outcome.race) meet(outcome, cells.first[i], place, act);
        if (__builtin_expect(stale_reads != StaleReads::none, 0)) {
            try_the_other_way(cells, i, place, act);
        }
        keep(cells.first[i], stamp, act.use, place);
    }
    return outcome;
}

// Locks are word of what was done before; what is added, and flags, only if that was made visible.
bool leaves_word(const Act& act) {
    if (act.use == Use::load) return false;
    const bool locks = act.manner == Manner::exchange || act.manner == Manner::compare;
    if (locks) note_lock(act.now.phase);
    return locks || has_fenced();
}

// What __ldg is about to load.
struct {
    uintptr_t begin;
    unsigned bytes;
    const Fiber* who;
} read_only;

bool is_read_only(const Act& act) {
    const bool loads = act.use == Use::load && scheduler.current == read_only.who &&
                       act.address - read_only.begin < read_only.bytes;
    if (!loads) read_only.bytes = 0;
    return loads;
}

void check_in_place(const Place& place, const Act& act) {
    const bool load = act.use == Use::load;
    if (act.address < place.begin || act.address + act.bytes > place.begin + place.bytes) {
        note_outside(place, act);
        return;
    }
    const bool word = act.manner != Manner::plain && !place.is_argument();
    if (word && (load || is_atomic(act.manner))) order_acquire(act.address, place.shared);
    if (!load && !place.shared) note_global_store(act.now);
    const Cells cells = cells_of(*place.shadow, place.begin, place.bytes, act.address, act.bytes);
    if (load && is_unwritten(cells, place, act)) note_unwritten(place, act);
    if (read_only.bytes && is_read_only(act)) note_read_only_load(cells, place, act);
    const Outcome outcome = visit(cells, place, act);
    if (!load) {
        watch_input(place, act);
        watch_store(cells, act, outcome);
    } else if (outcome.is_new) {
        note_finding(outcome.found);
    }
    if (word && leaves_word(act)) order_release(act.address, place.shared);
}

// Whether the cell was written, and not since the last barrier.
inline bool is_settled(const Cell& cell, const Moment& now) {
    return is_valid(cell.write, now, true) && cell.write.when.epoch < now.epoch &&
           !cell.write.raced &&
           (!is_valid(cell.plain, now, true) || cell.plain.when.epoch < now.epoch);
}

// Most accesses: a load of shared memory that nobody has written since the last barrier.
inline bool is_plain_load(const Act& act) {
    if (act.use != Use::load || act.manner != Manner::plain) return false;
    if (!in_recent(act.address + act.bytes - 1)) return false;
    const Shadow* shadow = recent.dynamic ? dynamic_shadow : static_shadow;
    if (!shadow || act.bytes != 1u << shadow->shift || act.address % act.bytes) return false;
    Cell& cell = shadow->cells[(act.address - shadow->begin) >> shadow->shift];
    if (!is_settled(cell, act.now)) return false;
    const unsigned pc = unsigned(act.pc - library().base);
    keep_read(cell, {act.now, pc, Manner::plain, false, false, false, false}, true);
    return true;
}

bool next_in_block_scope;

}  // namespace

bool find_global(uintptr_t address, Place& place) {
    if (Mapping* mapping = const_cast<Mapping*>(
            find_mapping(reinterpret_cast<const void*>(address)))) {
        if (mapping->heap) {
            const HeapSpot spot = heap_spot(address);
            place = {spot.begin, spot.bytes, spot.shadow, spot.mapping, false};
            return spot.shadow != nullptr;
        }
        place = {reinterpret_cast<uintptr_t>(mapping->data), mapping->bytes, &mapping->shadow,
                 mapping, false};
        return true;
    }
    const Library& own = library();
    if (address < own.begin || address >= own.end) return false;
    place = {own.begin, size_t(own.end - own.begin), &variable_shadow, nullptr, false};
    return true;
}

void watch_host_store(const Cells& cells, const Finding& found, uintptr_t address,
                      unsigned bytes) {
    Act act{};
    act.address = address;
    act.bytes = bytes;
    act.pc = found.pc + library().base;
    pending.into_input = false;
    watch_store(cells, act, {true, !known_finding("race", found.pc, found.other), false, found});
}

void check_block_scope() { next_in_block_scope = true; }

void check_read_only(uintptr_t address, unsigned bytes) {
    read_only = {address, bytes, scheduler.current};
}

bool still_there(const Finding& f) {
    Place place;
    if (!f.address || !find_global(f.address, place) || !*place.shadow) return false;
    const Shadow& shadow = **place.shadow;
    const Cell& cell = shadow.cells[(f.address - shadow.begin) >> shadow.shift];
    // A later launch that has read it may have put it right.
    for (const Stamp& read : cell.reads) {
        if (read.when.phase > f.when.phase) return false;
    }
    return cell.write.when.phase == f.when.phase &&
           (cell.write.pc == f.pc || cell.write.pc == f.other);
}

void check_access(uintptr_t address, unsigned bytes, Use use, Manner manner, uintptr_t pc) {
    settle();
    Place place;
    if (!scheduler.current) return check_host_access(address, bytes, use, manner, pc);
    if (!find_place(address, place)) return check_host_memory(address, use, pc);
    const bool block_scope = next_in_block_scope && is_atomic(manner);
    next_in_block_scope = false;
    const Act act = {address, bytes, use, manner, block_scope, pc, moment()};
    if (!(in_recent(address) && is_plain_load(act))) check_in_place(place, act);
}

void check_launch_begin() {
    order_launch();
    recent = {nullptr, 0, false};
    // Its place depends on its size.
    drop_shadow(dynamic_shadow);
    dynamic_shadow = nullptr;
}

void check_settled() {
    if (checking) settle();
}

void check_launch_end() { settle(); }
void check_set_aside() { settle(); }

void check_block_begin() {
    settle();
    order_block();
    if (blocks_aside()) order_mixed();
}

}  // namespace leetk
