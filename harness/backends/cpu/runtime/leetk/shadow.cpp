// Cells for the memory that kernels touch. Their pages are the system's, which gives them when they
// are first used, so that a large buffer of which little is touched costs little.
#include "leetk/shadow.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

namespace leetk {
namespace {

size_t cell_count(size_t bytes, unsigned shift) { return (bytes >> shift) + 1; }

Cell* take_cells(size_t count) {
    void* got = mmap(nullptr, count * sizeof(Cell), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return got == MAP_FAILED ? nullptr : static_cast<Cell*>(got);
}

void drop_cells(const Shadow& shadow) {
    munmap(shadow.cells, cell_count(shadow.bytes, shadow.shift) * sizeof(Cell));
}

bool begin_shadow(Shadow& shadow, uintptr_t begin, size_t bytes) {
    // From a multiple of 16, so that aligned accesses begin at a cell.
    const uintptr_t aligned = begin / 16 * 16;
    shadow = {aligned, bytes + (begin - aligned), nullptr, 2};
    shadow.cells = take_cells(cell_count(shadow.bytes, shadow.shift));
    return shadow.cells != nullptr;
}

// Each cell becomes several that say the same.
bool refine(Shadow& shadow, unsigned shift) {
    Cell* finer = take_cells(cell_count(shadow.bytes, shift));
    if (!finer) return false;
    const size_t copies = size_t(1) << (shadow.shift - shift);
    const size_t count = shadow.bytes >> shadow.shift;
    for (size_t i = 0; i < count; ++i) {
        const Cell& cell = shadow.cells[i];
        if (!cell.write.when.phase && !cell.reads[0].when.phase) continue;
        for (size_t j = 0; j < copies; ++j) {
            Cell& part = finer[i * copies + j];
            part = cell;
            memcpy(part.before, cell.before + (j << shift), size_t(1) << shift);
        }
    }
    drop_cells(shadow);
    shadow.cells = finer;
    shadow.shift = shift;
    return true;
}

unsigned needed_shift(uintptr_t address, unsigned size) {
    const uintptr_t both = address | size;
    return both % 4 == 0 ? 2 : both % 2 == 0 ? 1 : 0;
}

}  // namespace

Cells cells_of(Shadow*& shadow, uintptr_t begin, size_t bytes, uintptr_t address, unsigned size) {
    if (!shadow) {
        Shadow made;
        if (!begin_shadow(made, begin, bytes)) return {nullptr, 0, 0, 0};
        shadow = static_cast<Shadow*>(malloc(sizeof made));
        if (!shadow) abort();
        *shadow = made;
    }
    const unsigned shift = needed_shift(address, size);
    if (shift < shadow->shift && !refine(*shadow, shift)) return {nullptr, 0, 0, 0};
    const size_t first = (address - shadow->begin) >> shadow->shift;
    const size_t last = (address - shadow->begin + size - 1) >> shadow->shift;
    return {shadow->cells + first, last - first + 1, shadow->begin + (first << shadow->shift),
            1u << shadow->shift};
}

void forget_cells(Shadow& shadow, uintptr_t begin, size_t bytes) {
    const size_t first = (begin - shadow.begin) >> shadow.shift;
    const size_t last = (begin - shadow.begin + bytes - 1) >> shadow.shift;
    memset(static_cast<void*>(shadow.cells + first), 0, (last - first + 1) * sizeof(Cell));
}

void drop_shadow(Shadow* shadow) {
    if (!shadow) return;
    drop_cells(*shadow);
    free(shadow);
}

}  // namespace leetk
