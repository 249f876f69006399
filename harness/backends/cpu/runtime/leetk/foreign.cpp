// Accesses that no kernel makes: the host's, and those of copies, memsets and frees in a stream. Here all that streams
// are given is done at once, so a missing wait shows in no output; but what is remembered of memory
// tells which launch or copy touched it last, and the clocks of streams (stream_order.cpp) whether
// that was over.
//
// Host code is compiled with the same hooks as kernels. What it reads too early is tried with what was
// there before (stale.cpp); what it overwrites too early, and what a copy in another stream takes or
// overwrites, can't be right on a GPU unless it was the same all along.
//
// Whoever polls memory that a kernel writes, by a volatile or an atomic load, waits for that kernel as
// far as it matters. A function of the host that is part of a stream's work is in its order.
#include "leetk/conflict.h"
#include "leetk/runtime.h"
#include "leetk/stale.h"
#include "leetk/stream_order.h"
#include "leetk/watch.h"

namespace leetk {
namespace {

// What a large copy touches is not remembered, for it takes some 35 times as much memory.
constexpr size_t most_copied = size_t(4) << 20;
constexpr unsigned piece = 1 << 16;

bool in_stream_function;
unsigned copying;  // the phase of the copy

using IsOver = bool (*)(unsigned phase);

bool is_under_way(const Stamp& stamp, IsOver is_over) {
    return stamp.when.phase != 0 && !is_over(stamp.when.phase);
}

// What the access meets; null if all is over. A load meets no loads.
const Stamp* met_by(bool load, const Cell& cell, IsOver is_over) {
    if (is_under_way(cell.write, is_over) && !(load && cell.write.silent)) return &cell.write;
    for (const Stamp& read : cell.reads) {
        if (!load && is_under_way(read, is_over)) return &read;
    }
    return nullptr;
}

void tell(const Place& place, uintptr_t address, bool load, uintptr_t pc, const Cell& cell,
          const Stamp& with, Finding& found) {
    found = foreign_race(place, address, pc - library().base, with);
    found.read = load;
    found.other_read = &with != &cell.write;
}

bool is_new(uintptr_t pc, const Stamp& with) {
    return !known_finding("race", pc - library().base, with.pc);
}

void check_part(uintptr_t address, size_t bytes, bool load, uintptr_t pc) {
    Place place;
    if (!find_global(address, place) || !place.mapping || place.mapping->heap) return;
    if (address + bytes > place.begin + place.bytes) return;
    const Stamp stamp = {{copying, 0, 0, 0, 0, 0}, unsigned(pc - library().base), Manner::plain,
                         false, false, false, false};
    while (bytes) {
        const unsigned now = bytes < piece ? unsigned(bytes) : piece;
        const Cells cells = cells_of(*place.shadow, place.begin, place.bytes, address, now);
        for (size_t i = 0; i < cells.count; ++i) {
            Cell& cell = cells.first[i];
            const Stamp* with = met_by(load, cell, is_done_before);
            if (with && is_new(pc, *with)) {
                Finding found;
                tell(place, cells.begin + i * cells.bytes, load, pc, cell, *with, found);
                found.bytes = cells.bytes;
                found.by_copy = true;
                found.lost_update = found.seen = true;
                note_finding(found);
            }
            if (load) {
                cell.reads[0] = stamp;
                continue;
            }
            if (stale_reads != StaleReads::none) keep_before_copy(cells, i);
            cell.write = cell.plain = stamp;
            cell.reads[0].when.phase = cell.reads[1].when.phase = 0;
        }
        address += now;
        bytes -= now;
    }
}

}  // namespace

void set_in_stream_function(bool inside) { in_stream_function = inside; }

void check_host_access(uintptr_t address, unsigned bytes, Use use, Manner manner, uintptr_t pc) {
    Place place;
    if (in_stream_function || !find_global(address, place) || !*place.shadow) return;
    if (place.mapping && place.mapping->kind == region_device) return;  // open to the API alone
    if (address < place.begin || address + bytes > place.begin + place.bytes) return;
    const bool load = use == Use::load;
    const Cells cells = cells_of(*place.shadow, place.begin, place.bytes, address, bytes);
    for (size_t i = 0; i < cells.count; ++i) {
        const Stamp* with = met_by(load, cells.first[i], host_has_waited_for);
        if (!with) continue;
        if (manner != Manner::plain) {
            if (load) order_host_for_phase(with->when.phase);
            continue;
        }
        Finding found;
        tell(place, address, load, pc, cells.first[i], *with, found);
        found.bytes = bytes;
        found.by_host = true;
        if (!load) {
            found.lost_update = found.seen = true;
            return watch_host_store(cells, found, address, bytes);
        }
        if (stale_reads != StaleReads::none) let_host_be_early(cells, i, found.pc);
        if (is_new(pc, *with)) note_finding(found);
    }
}

void check_copy_begin(const void* stream) {
    if (!checking) return order_work(stream);
    check_settled();
    copying = order_copy(stream);
}

void check_copy(void* to, const void* from, size_t bytes, uintptr_t pc) {
    if (!checking || bytes > most_copied) return;
    DeviceAccess access;
    if (from) check_part(reinterpret_cast<uintptr_t>(from), bytes, true, pc);
    check_part(reinterpret_cast<uintptr_t>(to), bytes, false, pc);
}

}  // namespace leetk
