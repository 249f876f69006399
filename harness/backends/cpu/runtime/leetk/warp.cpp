// Warp operations: lanes meet by their mask.
//
// A lane that comes leaves its operand with its warp and waits, until the last lane that the mask
// names has come. That one computes the results of all, puts them where each lane finds its own,
// and goes on; the others return to the queue. A lane's result is overwritten only by its own next
// operation, so it doesn't matter how far the others have run by then.
//
// Several groups may wait in one warp at a time, with disjoint masks or with overlapping ones (a
// lane that waits for all others, while those still do something among themselves). A group is
// known by its mask: on compute capability 7.0 and up the lanes may stand at different lines (PTX,
// "bar.warp.sync", "shfl.sync"), but not in different operations.
//
// Lanes that have ended count as having come, and so do those that the block doesn't have. Nobody
// looks at a group when a thread ends; the next lane to come does, and otherwise the end of the
// queue. If no group can go on then, the threads wait for each other: a deadlock, which is
// reported.
//
// __activemask has no mask to meet by. The lanes that come to one line are a group, which goes on
// when no other lane of the warp could run: as if the warp had waited to converge.
#include <string.h>

#include "leetk/lanes.h"
#include "leetk/pages.h"
#include "leetk/runtime.h"
#include "leetk/switching.h"
#include "leetk/trace.h"
#include "leetk/watch.h"

namespace leetk {

namespace {

Warp home_store[most_warps];

Fiber* lanes_of(const Warp& warp) {
    return scheduler.fibers + (&warp - scheduler.warps) * warp_lanes;
}

LEETK_SCHEDULING inline bool has_ended(const Fiber* lanes, int lane) {
    const Scheduler& s = scheduler;
    const Fiber* fiber = lanes + lane;
    return fiber >= s.fibers + s.threads || fiber->state == State::exited;
}

LEETK_SCHEDULING inline bool have_ended(const Fiber* lanes, unsigned which) {
    for (; which; which &= which - 1) {
        if (!has_ended(lanes, __builtin_ctz(which))) return false;
    }
    return true;
}

// ---- meeting ------------------------------------------------------------------------------------

// Where the running thread's place in the queue is moved back by `count` for others to follow it at
// once. The places before it are free: they were used. `in_turn`: it is one of the `count`, and so its
// own place is free, too.
//
// So a warp goes on until it has to wait for others, which keeps its lanes' stacks in the cache. It
// gives way now and then, because it may be polling for what another warp does; and in shuffled
// order, where warps shall mix.
Fiber** places_in_front(int count, bool in_turn) {
    constexpr int most_in_a_row = 64;
    Scheduler& s = scheduler;
    const bool room = s.position - s.queue + in_turn >= count;
    if (s.order == Order::shuffled || !room || ++s.in_front > most_in_a_row) {
        s.in_front = 0;
        return nullptr;
    }
    s.position -= count;
    if (!in_turn) *s.position = s.current;
    return s.position + 1;
}

Fiber** places_at_end(int count) {
    make_room();
    Fiber** begin = scheduler.queue_end;
    scheduler.queue_end += count;
    return begin;
}

// Makes waiting threads ready, `chosen` by rank from `lanes` on, and puts them in the queue: behind
// the running thread if that is one of them, else at the end. `in_turn`: in ascending order,
// whatever the order of threads.
void wake(Fiber* lanes, unsigned chosen, bool with_running, bool in_turn = false) {
    Scheduler& s = scheduler;
    if (!chosen) return;
    const int count = __builtin_popcount(chosen);
    Fiber** begin = with_running ? places_in_front(count, in_turn) : nullptr;
    if (!begin) begin = places_at_end(count);
    const bool reversed = s.order == Order::backward && !in_turn;
    Fiber** next = reversed ? begin + count - 1 : begin;
    const long step = reversed ? -1 : 1;
    LEETK_FOR_LANES(lane, chosen) {
        lanes[lane].state = State::ready;
        *next = &lanes[lane];
        next += step;
    }
    s.waiting -= count;
    for (int i = 0; s.order == Order::shuffled && !in_turn && i < count - 1; ++i) {
        int other = i + int(below(unsigned(count - i)));
        Fiber* moved = begin[i];
        begin[i] = begin[other];
        begin[other] = moved;
    }
    close_queue(*begin);
}

// Lanes that met at __syncwarp go on in ascending order, the last to come among them, in whatever order
// threads run otherwise: code that reduces within a warp (`s[i] += s[i + 16]; __syncwarp();`, all
// lanes active) relies on each lane's reading what the next ones haven't overwritten yet, as lanes
// do that run in step.
bool go_in_turn(const Group& group) {
    const bool several = (group.arrived & (group.arrived - 1)) != 0;
    return group.operation == WarpOp::sync && several;
}

// All lanes of the group have come. The lane `running` of them runs; -1 if none does. Where they go
// on in turn, it waits like the others.
LEETK_SCHEDULING void complete(Warp& warp, int at, int running) {
    Scheduler& s = scheduler;
    bool was_busy = s.busy;
    s.busy = true;
    ++s.releases;  // so that a tick sees progress
    Group group = warp.groups[at];
    warp.groups[at] = warp.groups[--warp.waiting];
    Fiber* lanes = lanes_of(warp);
    unsigned ended = group.mask & ~group.arrived;
    const Fiber& waiting = lanes[__builtin_ctz(group.arrived)];
    if (__builtin_expect(checking, 0)) order_lanes(lanes->rank, group.arrived);
    if (ended) note_ended_lanes(name_of(group.operation), waiting, ended);
    compute(warp, group);
    const bool in_turn = go_in_turn(group);
    const bool all = in_turn || running < 0;
    wake(lanes, all ? group.arrived : group.arrived & ~(1u << running), running >= 0, in_turn);
    s.busy = was_busy;
}

[[noreturn]] void bad_mask(WarpOp operation, unsigned mask, unsigned lane, const Fiber& self) {
    report_at(self.file, self.line, "api", true,
              "lane %u of a warp calls %s with the mask 0x%08x, which does not name it: undefined "
              "behaviour",
              lane, name_of(operation), mask);
    __builtin_trap();
}

bool at_same_place(const Fiber& a, const Fiber& b) {
    return a.line == b.line && (a.file == b.file || strcmp(a.file, b.file) == 0);
}

// The group that the lane belongs to; a new one for the first to come.
LEETK_SCHEDULING int join(Warp& warp, WarpOp operation, unsigned mask, Fiber* self) {
    unsigned bit = 1u << (self->rank % warp_lanes);
    for (int i = 0; i < warp.waiting; ++i) {
        Group& group = warp.groups[i];
        if (group.mask != mask || group.operation == WarpOp::active) continue;
        if (group.operation != operation) {
            const Fiber& other = lanes_of(warp)[__builtin_ctz(group.arrived)];
            report_mismatch(*self, name_of(operation), other, name_of(group.operation));
        }
        group.arrived |= bit;
        return i;
    }
    warp.groups[warp.waiting] = {mask, bit, operation, 0};
    return warp.waiting++;
}

LEETK_SCHEDULING void wait(Fiber* self, State state) {
    Scheduler& s = scheduler;
    self->state = state;
    ++s.waiting;
    Fiber* next = next_thread();
    if (__builtin_expect(s.slice_due, 0)) {
        s.busy = true;
        if (Fiber* other = change_block(next, false)) next = other;
        s.busy = false;
    }
    pass_turn(self, next);
}

LEETK_SCHEDULING inline Bits meet(WarpOp operation, unsigned mask, Bits value, unsigned source,
                                  Bits result, unsigned short bytes, const char* file, int line) {
    Scheduler& s = scheduler;
    Fiber* self = s.current;
    if (__builtin_expect(!self, 0)) not_in_kernel(name_of(operation), file, line);
    unsigned lane = unsigned(self->rank) % warp_lanes;
    Warp& warp = s.warps[self->rank / warp_lanes];
    self->file = file;
    self->line = line;
    if (!(mask >> lane & 1)) bad_mask(operation, mask, lane, *self);
    if (__builtin_expect(tracing, 0)) trace_sync();
    warp.in[lane] = value;
    warp.out[lane] = result;
    warp.source[lane] = (unsigned char)source;
    int at = join(warp, operation, mask, self);
    Group& group = warp.groups[at];
    group.bytes = bytes;
    if (have_ended(self - lane, mask & ~group.arrived)) {
        if (go_in_turn(group)) {
            self->state = State::in_warp;
            ++s.waiting;
            complete(warp, at, int(lane));
            pass_turn(self, next_thread());
        } else {
            complete(warp, at, int(lane));
        }
    } else {
        wait(self, State::in_warp);
    }
    return warp.out[lane];
}

__attribute__((noinline, cold)) void wrong_width(WarpOp operation, int width, const char* file,
                                                 int line) {
    report_at(file, line, "api", true,
              "%s with a width of %d: it must be a power of two, 32 at most", name_of(operation),
              width);
}

// PTX ISA, "shfl.sync": which lane a shuffle reads.
LEETK_SCHEDULING inline unsigned source_lane(WarpOp operation, unsigned lane, unsigned by,
                                             int width) {
    const unsigned segment = unsigned(warp_lanes - width) & 31;
    const int first = int(lane & segment);
    const int last = operation == WarpOp::shuffle_up ? first : first | int(31 & ~segment);
    by &= 31;
    int from;
    bool valid;
    switch (operation) {
        case WarpOp::shuffle_up:
            from = int(lane) - int(by);
            valid = from >= last;
            break;
        case WarpOp::shuffle_down:
            from = int(lane + by);
            valid = from <= last;
            break;
        case WarpOp::shuffle_xor:
            from = int(lane ^ by);
            valid = from <= last;
            break;
        default:
            from = first | int(by & ~segment);
            valid = from <= last;
    }
    return valid ? unsigned(from) : lane;
}

// True if some other lane of the warp could run.
bool others_run(const Warp& warp, const Fiber* self) {
    const Fiber* lanes = lanes_of(warp);
    for (int lane = 0; lane < warp_lanes; ++lane) {
        if (lanes + lane == self || has_ended(lanes, lane)) continue;
        if (lanes[lane].state == State::ready) return true;
    }
    return false;
}

// ---- tiles of several warps ---------------------------------------------------------------------

// Where the tile's count lies in BlockState::tiles: first those of 64 threads, then of 128 ...
int tile_index(unsigned size_class, unsigned rank) {
    unsigned before = 32 - (32 >> size_class);
    return int(before + (rank >> (6 + size_class)));
}

// Wakes the threads that wait for the tile, other than `self`, if all of its live ones have come.
bool settle_tile(unsigned size_class, unsigned rank, const Fiber* self) {
    Scheduler& s = scheduler;
    const int size = 64 << size_class;
    const int first = int(rank) & -size;
    const int end = first + size < s.threads ? first + size : s.threads;
    int live = 0;
    for (int i = first; i < end; ++i) live += s.fibers[i].state != State::exited;
    unsigned short& arrived = s.tiles[tile_index(size_class, rank)];
    if (arrived < live) return false;
    arrived = 0;
    if (checking) order_barrier();  // of all warps: too much, not too little
    for (int base = first; base < end; base += warp_lanes) {
        unsigned chosen = 0;
        for (int i = base; i < end && i < base + warp_lanes; ++i) {
            const Fiber& fiber = s.fibers[i];
            bool waits = fiber.state == State::in_tile && fiber.tile == size_class;
            chosen |= unsigned(waits && &fiber != self) << (i - base);
        }
        wake(&s.fibers[base], chosen, false);
    }
    return true;
}

bool settle_tiles() {
    Scheduler& s = scheduler;
    bool any = false;
    for (unsigned size_class = 0; size_class < tile_sizes; ++size_class) {
        for (unsigned rank = 0; rank < unsigned(s.threads); rank += 64u << size_class) {
            if (s.tiles[tile_index(size_class, rank)]) {
                any |= settle_tile(size_class, rank, nullptr);
            }
        }
    }
    return any;
}

}  // namespace

Warp* const home_warps = home_store;

Warp* new_warps(int threads) {
    size_t count = size_t(threads + warp_lanes - 1) / warp_lanes;
    return static_cast<Warp*>(take_pages(count * sizeof(Warp)));
}

unsigned lane_id() { return thread_rank() % warp_lanes; }

LEETK_SCHEDULING Bits shuffle(WarpOp operation, unsigned mask, Bits bits, unsigned by, int width,
                              const char* file, int line) {
    if (__builtin_expect(width < 1 || width > 32 || (width & (width - 1)), 0)) {
        wrong_width(operation, width, file, line);
    }
    unsigned source = source_lane(operation, thread_rank() % warp_lanes, by, width);
    return meet(operation, mask, bits, source, 0, 0, file, line);
}

LEETK_SCHEDULING void shuffle_bytes(WarpOp operation, unsigned mask, const void* from, void* to,
                                    size_t bytes, unsigned by, int width, const char* file,
                                    int line) {
    if (__builtin_expect(width < 1 || width > 32 || (width & (width - 1)), 0)) {
        wrong_width(operation, width, file, line);
    }
    unsigned source = source_lane(operation, thread_rank() % warp_lanes, by, width);
    meet(operation, mask, Bits(uintptr_t(from)), source, Bits(uintptr_t(to)),
         (unsigned short)bytes, file, line);
}

LEETK_SCHEDULING Bits warp_meet(WarpOp operation, unsigned mask, Bits bits, const char* file,
                                int line) {
    return meet(operation, mask, bits, 0, 0, 0, file, line);
}

LEETK_SCHEDULING unsigned active_mask(const char* file, int line) {
    Scheduler& s = scheduler;
    Fiber* self = s.current;
    if (!self) not_in_kernel("__activemask", file, line);
    unsigned lane = unsigned(self->rank) % warp_lanes;
    Warp& warp = s.warps[self->rank / warp_lanes];
    self->file = file;
    self->line = line;
    s.busy = true;
    int at = 0;
    while (at < warp.waiting &&
           !(warp.groups[at].operation == WarpOp::active &&
             at_same_place(*self, (self - lane)[__builtin_ctz(warp.groups[at].arrived)]))) {
        ++at;
    }
    if (at == warp.waiting) warp.groups[warp.waiting++] = {0, 0, WarpOp::active, 0};
    warp.groups[at].arrived |= 1u << lane;
    const bool alone = !others_run(warp, self);
    s.busy = false;
    if (!alone) {
        wait(self, State::in_warp);
    } else {
        complete(warp, at, int(lane));
    }
    return unsigned(warp.out[lane]);
}

LEETK_SCHEDULING void tile_barrier(unsigned size, const char* file, int line) {
    Scheduler& s = scheduler;
    Fiber* self = s.current;
    if (!self) not_in_kernel("tile.sync()", file, line);
    unsigned size_class = unsigned(__builtin_ctz(size)) - 6;
    unsigned rank = unsigned(self->rank);
    self->file = file;
    self->line = line;
    self->tile = (unsigned char)size_class;
    unsigned arrived = ++s.tiles[tile_index(size_class, rank)];
    bool was_busy = s.busy;
    s.busy = true;
    bool last = arrived == size && settle_tile(size_class, rank, self);
    s.busy = was_busy;
    if (!last) wait(self, State::in_tile);
}

Bits& exchange_slot(unsigned rank) {
    return scheduler.warps[rank / warp_lanes].slots[rank % warp_lanes];
}

bool settle_warps() {
    Scheduler& s = scheduler;
    bool any = settle_tiles();
    const int warps = (s.threads + warp_lanes - 1) / warp_lanes;
    for (int i = 0; i < warps; ++i) {
        Warp& warp = s.warps[i];
        for (int at = warp.waiting - 1; at >= 0; --at) {
            const Group& group = warp.groups[at];
            bool active = group.operation == WarpOp::active;
            if (!active && !have_ended(lanes_of(warp), group.mask & ~group.arrived)) continue;
            complete(warp, at, -1);
            any = true;
        }
    }
    return any;
}

Wanted wanted_by(const Fiber& fiber) {
    if (fiber.state != State::in_warp) return {"a tile's barrier", 0};
    const Warp& warp = scheduler.warps[fiber.rank / warp_lanes];
    for (int at = 0; at < warp.waiting; ++at) {
        const Group& group = warp.groups[at];
        if (!(group.arrived >> (fiber.rank % warp_lanes) & 1)) continue;
        return {name_of(group.operation), group.mask & ~group.arrived};
    }
    return {"a warp operation", 0};
}

}  // namespace leetk
