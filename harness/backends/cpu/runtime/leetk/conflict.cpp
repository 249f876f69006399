// Which accesses to one place are in conflict: two threads' that nothing orders (order.cpp), of which
// one writes.
//
// Not taken for races:
//   stores that change nothing: several threads write the same value
//   atomics among themselves, and plain reads of a place that are checked again by an atomic; but
//   not atomicExch on an argument, where the last one wins, nor atomics of several blocks whose
//   scope is the block
//   volatile accesses among themselves, where they are flags (may_meet)
//   lanes of one warp, of which one overwrites what another has read in an earlier step since they
//   last met: lanes that run together do that in this order (`s[i] += s[i + 16]; __syncwarp();`)
//
// Arguments of `solve` are data: no locks or flags are looked for in them.
#include "leetk/conflict.h"

#include <initializer_list>

#include "leetk/scheduler.h"
#include "leetk/stream_order.h"

namespace leetk {
namespace {

bool in_step(const Stamp& read, const Moment& now) {
    return read.when.phase == now.phase && read.when.block == now.block &&
           read.when.rank / warp_lanes == now.rank / warp_lanes &&
           read.when.step < now.step;
}

// Accesses that may meet: atomics among themselves, and flags. A volatile variable in global memory
// is one; in shared memory only where the block uses fences, and not within a warp, where lanes that
// reduce through volatile memory need a __syncwarp().
bool may_meet(const Stamp& past, const Act& act, const Place& place) {
    if (past.manner == Manner::plain || act.manner == Manner::plain) return false;
    const bool apart = past.when.block != act.now.block;
    if (is_atomic(past.manner) && is_atomic(act.manner)) {
        if (apart && (past.block_scope || act.block_scope)) return false;
        const bool last_wins = past.manner == Manner::exchange || act.manner == Manner::exchange;
        return !(last_wins && place.is_argument());
    }
    if (place.is_argument()) return false;
    if (!place.shared) return true;
    return has_fenced() && past.when.rank / warp_lanes != act.now.rank / warp_lanes;
}

// Word of a place reaches whoever asks there, fence or not.
bool is_word(const Stamp& past, const Act& act) {
    return past.manner != Manner::plain || act.manner != Manner::plain;
}

// Of a launch in another stream that nothing orders before this one.
bool is_abreast(const Stamp& past, const Moment& now, bool shared) {
    return !shared && past.when.phase != 0 && past.when.phase != now.phase &&
           !is_done_before(past.when.phase);
}

void set_thread(unsigned (&to)[3], unsigned rank) {
    const uint3& index = scheduler.fibers[rank].index;
    to[0] = index.x;
    to[1] = index.y;
    to[2] = index.z;
}

void set_block(unsigned (&to)[3], unsigned number) {
    to[0] = number % grid_size.x;
    to[1] = number / grid_size.x % grid_size.y;
    to[2] = number / grid_size.x / grid_size.y;
}

}  // namespace

bool clashes(const Stamp& past, const Act& act, const Place& place, Conflict& conflict) {
    if (!is_valid(past, act.now, place.shared)) {
        if (!is_abreast(past, act.now, place.shared)) return false;
        if (past.manner != Manner::plain && act.manner != Manner::plain) return false;
        conflict.unfenced = false;
        conflict.with = &past;
        return true;
    }
    if (may_meet(past, act, place)) return false;
    const Precedence order = precedence(past.when, act.now);
    if (order == Precedence::certain) return false;
    if (order == Precedence::unfenced && is_word(past, act)) return false;
    conflict.unfenced = order == Precedence::unfenced;
    conflict.with = &past;
    return true;
}

Conflict conflict_in(const Cell& cell, const Act& act, const Place& place) {
    Conflict conflict = {nullptr, false, false};
    const bool load = act.use == Use::load;
    for (const Stamp* past : {&cell.plain, &cell.write}) {
        if (!(load && past->silent) && clashes(*past, act, place, conflict)) return conflict;
    }
    if (load) return conflict;
    conflict.other_read = true;
    for (const Stamp& read : cell.reads) {
        if (!in_step(read, act.now) && clashes(read, act, place, conflict)) return conflict;
    }
    return conflict;
}

Finding describe(const char* kind, const Place& place, const Act& act) {
    Finding found{};
    found.kind = kind;
    found.pc = act.pc - library().base;
    found.kernel = scheduler.site->kernel;
    found.read = act.use == Use::load;
    found.shared = place.shared;
    found.bytes = act.bytes;
    found.when = act.now;
    found.spot = spot_of(place.mapping, act.address, place.begin, place.bytes, place.shared);
    set_thread(found.thread, act.now.rank);
    set_block(found.block, act.now.block);
    return found;
}

Scope scope_of(const Moment& one, const Moment& other) {
    if (one.phase != other.phase) return Scope::launch;
    if (one.block != other.block) return Scope::grid;
    return one.rank / warp_lanes == other.rank / warp_lanes ? Scope::warp : Scope::block;
}

Finding foreign_race(const Place& place, uintptr_t address, uintptr_t pc, const Stamp& with) {
    Finding found{};
    found.kind = "race";
    found.pc = pc;
    found.other = with.pc;
    found.scope = Scope::launch;
    found.spot = spot_of(place.mapping, address, place.begin, place.bytes, false);
    found.argument = place.is_argument();
    return found;
}

Finding race_of(const Place& place, const Act& act, const Conflict& conflict, const Stamp* read) {
    const Stamp& with = *conflict.with;
    const Moment& other = with.when;
    Finding found = describe("race", place, act);
    found.address = place.shared ? 0 : act.address;
    found.argument = place.is_argument();
    found.other = with.pc;
    found.other_read = conflict.other_read;
    found.unfenced = conflict.unfenced;
    found.with_atomic = is_atomic(with.manner) || act.use == Use::atomic;
    found.block_scope = is_atomic(with.manner) && act.use == Use::atomic &&
                        (with.block_scope || act.block_scope);
    found.scope = scope_of(other, act.now);
    found.lost_update = (read || found.block_scope) && !conflict.other_read;
    found.plain_update = read && read->manner == Manner::plain && act.manner == Manner::plain &&
                         found.scope != Scope::warp;
    if (found.scope == Scope::launch) return found;  // of another shape, perhaps
    set_thread(found.other_thread, other.rank);
    set_block(found.other_block, other.block);
    return found;
}

}  // namespace leetk
