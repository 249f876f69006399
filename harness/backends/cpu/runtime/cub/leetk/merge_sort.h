// A stable sort by a comparison: insertion sort of short runs, then merges from the bottom up.
//
// Written out because std::stable_sort takes long to compile, and passes const references, which a
// user's comparison need not take. One that isn't a strict order gives some order.
#ifndef LEETK_CUB_MERGE_SORT_H
#define LEETK_CUB_MERGE_SORT_H
#pragma GCC system_header

#include <stddef.h>

#include "cub/leetk/buffer.h"

namespace leetk {

template <class Item, class Compare>
void insertion_sort(Item* items, size_t count, Compare& before) {
    for (size_t i = 1; i < count; ++i) {
        Item item = items[i];
        size_t at = i;
        for (; at > 0 && before(item, items[at - 1]); --at) items[at] = items[at - 1];
        items[at] = item;
    }
}

// Merges from[0, middle) and from[middle, count).
template <class Item, class Compare>
void merge_runs(Item* from, size_t middle, size_t count, Item* to, Compare& before) {
    size_t i = 0, j = middle;
    while (i < middle || j < count) {
        bool second = i == middle || (j < count && before(from[j], from[i]));
        *to++ = second ? from[j++] : from[i++];
    }
}

template <class Item, class Compare>
void merge_sort(Item* items, size_t count, Compare& before) {
    constexpr size_t run = 16;
    for (size_t at = 0; at < count; at += run) {
        insertion_sort(items + at, count - at < run ? count - at : run, before);
    }
    if (count <= run) return;
    Buffer<Item> room(count);
    for (size_t i = 0; i < count; ++i) room.push(items[i]);
    Item* from = items;
    Item* to = room.data();
    for (size_t width = run; width < count; width *= 2) {
        for (size_t at = 0; at < count; at += 2 * width) {
            size_t rest = count - at;
            merge_runs(from + at, rest < width ? rest : width, rest < 2 * width ? rest : 2 * width,
                       to + at, before);
        }
        Item* sorted = to;
        to = from;
        from = sorted;
    }
    if (from == items) return;
    for (size_t i = 0; i < count; ++i) items[i] = from[i];
}

}  // namespace leetk

#endif
