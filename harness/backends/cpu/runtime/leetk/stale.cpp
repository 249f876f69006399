// Races the other way round: a load that nothing orders behind another thread's store may find, on a
// GPU, what was there before. Here threads run one after the other and it never does. So a call in
// which such a race was found is made again, and these loads find the old value; the judge looks at
// what comes of that (judge/consequence.py).
//
// The value is put there for that one load, which is the next thing that happens: accesses are looked
// at before they are made, and whoever is next puts everything back first.
#include "leetk/stale.h"

#include <string.h>

#include "leetk/runtime.h"
#include "leetk/scheduler.h"

namespace leetk {

StaleReads stale_reads;

namespace {

constexpr int most_stale = 16;
struct {
    uintptr_t address;
    unsigned bytes;
    char now[4];
} places[most_stale];
int place_count;

// Of the cells of the latest store.
struct {
    Stamp write, plain;
    char before[4];
} past[most_stale];

uintptr_t address_of(const Cells& cells, size_t number) {
    return cells.begin + number * cells.bytes;
}

bool is_own(const Moment& one, const Moment& other) {
    return one.rank == other.rank && one.block == other.block && one.epoch == other.epoch &&
           one.clock == other.clock;
}

bool in_one_warp(const Moment& one, const Moment& other) {
    return one.phase == other.phase && one.block == other.block &&
           one.rank / warp_lanes == other.rank / warp_lanes;
}

// The launch that last had a lock, made of atomics that put one value in the place of another.
unsigned lock_phase;

// Whether a plain load may find what was there before the last write. Lanes of a warp run in step:
// of them a load does that was due before. And what a lock without a fence guards mostly arrives.
bool may_be_stale(const Cell& cell, const Act& act, const Place& place) {
    if (act.use != Use::load || act.manner != Manner::plain) return false;
    const Stamp& write = cell.write;
    Conflict conflict;
    return !write.silent && clashes(write, act, place, conflict) &&
           !(conflict.unfenced && lock_phase == act.now.phase) &&
           !(in_one_warp(write.when, act.now) && write.when.step < act.now.step);
}

// Who has looked at a volatile variable since its last write, in this call. What is not kept has.
constexpr size_t most_looks = 1 << 16;
unsigned looks[most_looks];

bool is_first_look(const Act& act, const Moment& write) {
    size_t mixed = act.now.rank + 1031u * act.now.block + 7919u * act.address +
                   104729u * write.rank + 1299709u * write.block + 15485863u * write.clock +
                   32452843u * write.phase;
    mixed = (mixed ^ mixed >> 15) * 0x9e3779b97f4a7c15u;
    unsigned& kept = looks[mixed >> 48];
    const unsigned mark = unsigned(mixed >> 16) | 1;
    if (kept == mark) note_polled(act.pc - library().base);
    if (kept) return false;
    kept = mark;
    return true;
}

// Whether a volatile load may find what was there before: once, for a loop that waits finds the new
// value in the end, and who has found it finds nothing older. Flags can do with that; not what was
// stored before one, with no fence in between. Shared memory keeps the order.
bool may_lag(const Cell& cell, const Act& act, const Place& place) {
    if (act.use != Use::load || act.manner != Manner::is_volatile || place.shared) return false;
    const Stamp& write = cell.write;
    if (write.silent || is_atomic(write.manner) || !is_valid(write, act.now, false)) return false;
    if (in_one_warp(write.when, act.now) || lock_phase == act.now.phase) return false;
    return precedence(write.when, act.now) != Precedence::certain &&
           is_first_look(act, write.when);
}

// Whether the load comes before that write in this call: always, or by chance, where old values and
// new ones are mixed. A thread finds the same each time that it looks.
bool comes_first(const Moment& now, const Stamp& write) {
    if (stale_reads == StaleReads::all) return true;
    size_t mixed = now.rank + 1031u * now.block + 7919u * write.pc + 104729u * write.when.rank +
                   1299709u * write.when.block + 15485863u * write.when.clock;
    mixed = (mixed ^ mixed >> 15) * 0x9e3779b97f4a7c15u;
    return mixed >> 40 & 1;
}

// The running thread is about to write cell `number`; `owns`: it has written it before, and nobody
// can have learned of that.
void keep_before(const Cells& cells, size_t number, bool owns) {
    Cell& cell = cells.first[number];
    if (number < most_stale) {
        past[number].write = cell.write;
        past[number].plain = cell.plain;
        memcpy(past[number].before, cell.before, sizeof cell.before);
    }
    if (owns) return;
    const void* at = reinterpret_cast<const void*>(address_of(cells, number));
    memcpy(cell.before, at, cells.bytes);
}

// The thread's load, which comes next, finds what was in cell `number` before the last write.
void go_back(const Cells& cells, size_t number) {
    if (place_count == most_stale) return;
    auto& place = places[place_count++];
    place.address = address_of(cells, number);
    place.bytes = cells.bytes;
    void* at = reinterpret_cast<void*>(place.address);
    memcpy(place.now, at, place.bytes);
    memcpy(at, cells.first[number].before, place.bytes);
}

}  // namespace

void undo_write(const Cells& cells, size_t number) {
    if (number >= most_stale) return;
    Cell& cell = cells.first[number];
    cell.write = past[number].write;
    cell.plain = past[number].plain;
    memcpy(cell.before, past[number].before, sizeof cell.before);
}

void try_the_other_way(const Cells& cells, size_t number, const Place& place, const Act& act) {
    const Cell& cell = cells.first[number];
    if (may_lag(cell, act, place)) {
        go_back(cells, number);
        note_finding(race_of(place, act, {&cell.write, false, true}, nullptr));
        note_stale(act.pc - library().base);
    } else if (may_be_stale(cell, act, place) && comes_first(act.now, cell.write)) {
        go_back(cells, number);
        note_stale(act.pc - library().base);
    } else if (act.use != Use::load) {
        // Nobody can have learned of its own last store, if it has left no word since.
        keep_before(cells, number, is_valid(cell.write, act.now, place.shared) &&
                                       is_own(cell.write.when, act.now));
    }
}

void let_host_be_early(const Cells& cells, size_t number, uintptr_t pc) {
    go_back(cells, number);
    note_stale(pc);
}

void keep_before_copy(const Cells& cells, size_t number) { keep_before(cells, number, false); }

void begin_stale(StaleReads which) {
    stale_reads = which;
    if (which != StaleReads::none) memset(looks, 0, sizeof looks);
}

void note_lock(unsigned phase) { lock_phase = phase; }

void come_back() {
    while (place_count) {
        const auto& place = places[--place_count];
        memcpy(reinterpret_cast<void*>(place.address), place.now, place.bytes);
    }
}

}  // namespace leetk
