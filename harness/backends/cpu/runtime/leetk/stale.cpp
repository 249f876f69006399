// Races the other way round: a load that nothing orders behind another thread's store may find, on a
// GPU, what was there before. Here threads run one after the other and it never does. So a call in
// which such a race was found is made again, and these loads find the old value; the judge looks at
// what comes of that (judge/checks.py).
//
// The value is put there for that one load, which is the next thing that happens: accesses are looked
// at before they are made, and whoever is next puts everything back first.
#include "leetk/stale.h"

#include <string.h>

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

}  // namespace

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

void undo_write(const Cells& cells, size_t number) {
    if (number >= most_stale) return;
    Cell& cell = cells.first[number];
    cell.write = past[number].write;
    cell.plain = past[number].plain;
    memcpy(cell.before, past[number].before, sizeof cell.before);
}

void go_back(const Cells& cells, size_t number) {
    if (place_count == most_stale) return;
    auto& place = places[place_count++];
    place.address = address_of(cells, number);
    place.bytes = cells.bytes;
    void* at = reinterpret_cast<void*>(place.address);
    memcpy(place.now, at, place.bytes);
    memcpy(at, cells.first[number].before, place.bytes);
}

void come_back() {
    while (place_count) {
        const auto& place = places[--place_count];
        memcpy(reinterpret_cast<void*>(place.address), place.now, place.bytes);
    }
}

}  // namespace leetk
