// thrust::lower_bound, upper_bound, equal_range, binary_search: of one value, or of each of a
// sequence.
#ifndef LEETK_THRUST_BINARY_SEARCH_H
#define LEETK_THRUST_BINARY_SEARCH_H
#pragma GCC system_header

#include <utility>

#include "cuda/leetk/operators.h"
#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

// The number of items before the first that is not less than `value`.
template <class Items, class T, class Op>
ptrdiff_t lower_index(Items& items, ptrdiff_t count, const T& value, Op& op) {
    ptrdiff_t begin = 0;
    while (begin < count) {
        ptrdiff_t middle = begin + (count - begin) / 2;
        if (op(items[middle], value)) {
            begin = middle + 1;
        } else {
            count = middle;
        }
    }
    return begin;
}
// The number of items before the first that is greater than `value`.
template <class Items, class T, class Op>
ptrdiff_t upper_index(Items& items, ptrdiff_t count, const T& value, Op& op) {
    ptrdiff_t begin = 0;
    while (begin < count) {
        ptrdiff_t middle = begin + (count - begin) / 2;
        if (op(value, items[middle])) {
            count = middle;
        } else {
            begin = middle + 1;
        }
    }
    return begin;
}
template <class Items, class T, class Op>
bool holds(Items& items, ptrdiff_t count, const T& value, Op& op) {
    ptrdiff_t at = lower_index(items, count, value, op);
    return at < count && !op(value, items[at]);
}

template <class In, class T, class Op>
In lower_bound(const System& system, In first, In last, const T& value, Op op) {
    auto items = raw(first);
    ptrdiff_t found = 0;
    auto body = [&] { found = lower_index(items, last - first, value, op); };
    system.run(body, first);
    return first + found;
}
template <class In, class T, class Op>
In upper_bound(const System& system, In first, In last, const T& value, Op op) {
    auto items = raw(first);
    ptrdiff_t found = 0;
    auto body = [&] { found = upper_index(items, last - first, value, op); };
    system.run(body, first);
    return first + found;
}
template <class In, class T, class Op>
bool binary_search(const System& system, In first, In last, const T& value, Op op) {
    auto items = raw(first);
    bool found = false;
    auto body = [&] { found = holds(items, last - first, value, op); };
    system.run(body, first);
    return found;
}
template <class In, class T, class Op>
std::pair<In, In> equal_range(const System& system, In first, In last, const T& value, Op op) {
    return {lower_bound(system, first, last, value, op),
            upper_bound(system, first, last, value, op)};
}

// One result for each value of a sequence.
#define LEETK_SEARCH(name, search)                                                           \
    template <class In, class Values, class Out, class Op>                                   \
    Out name(const System& system, In first, In last, Values values_first, Values values_last, \
             Out result, Op op) {                                                            \
        auto items = raw(first);                                                             \
        auto values = raw(values_first);                                                     \
        auto to = raw(result);                                                               \
        ptrdiff_t count = values_last - values_first;                                        \
        auto body = [&] {                                                                    \
            for (ptrdiff_t i = 0; i < count; ++i) {                                          \
                ValueType<Values> value = values[i];                                         \
                to[i] = search(items, last - first, value, op);                              \
            }                                                                                \
        };                                                                                   \
        system.run(body, first, values_first, result);                                       \
        return result + count;                                                               \
    }
LEETK_SEARCH(lower_bounds, lower_index)
LEETK_SEARCH(upper_bounds, upper_index)
LEETK_SEARCH(binary_searches, holds)
#undef LEETK_SEARCH
template <class In, class Values, class Out, class Op>
Out lower_bound(const System& system, In first, In last, Values values_first, Values values_last,
                Out result, Op op) {
    return lower_bounds(system, first, last, values_first, values_last, result, op);
}
template <class In, class Values, class Out, class Op>
Out upper_bound(const System& system, In first, In last, Values values_first, Values values_last,
                Out result, Op op) {
    return upper_bounds(system, first, last, values_first, values_last, result, op);
}
template <class In, class Values, class Out, class Op>
Out binary_search(const System& system, In first, In last, Values values_first, Values values_last,
                  Out result, Op op) {
    return binary_searches(system, first, last, values_first, values_last, result, op);
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

#define LEETK_SEARCH(name)                                                                     \
    LEETK_THRUST(name, (class In, class T, class Op),                                          \
                 (In first, In last, const T& value, Op comp), (first, last, value, comp))     \
    LEETK_THRUST(name, (class In, class T), (In first, In last, const T& value),               \
                 (first, last, value, std::less<>{}))                                          \
    LEETK_THRUST(name, (class In, class Values, class Out, class Op),                          \
                 (In first, In last, Values values_first, Values values_last, Out result,      \
                  Op comp),                                                                    \
                 (first, last, values_first, values_last, result, comp))                       \
    LEETK_THRUST(name, (class In, class Values, class Out),                                    \
                 (In first, In last, Values values_first, Values values_last, Out result),     \
                 (first, last, values_first, values_last, result, std::less<>{}))
LEETK_SEARCH(lower_bound)
LEETK_SEARCH(upper_bound)
LEETK_SEARCH(binary_search)
#undef LEETK_SEARCH
LEETK_THRUST(equal_range, (class In, class T), (In first, In last, const T& value),
             (first, last, value, std::less<>{}))
LEETK_THRUST(equal_range, (class In, class T, class Op),
             (In first, In last, const T& value, Op comp), (first, last, value, comp))

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
