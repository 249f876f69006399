// thrust::partition, stable_partition, partition_copy, partition_point. All are stable.
#ifndef LEETK_THRUST_PARTITION_H
#define LEETK_THRUST_PARTITION_H
#pragma GCC system_header

#include <utility>

#include "cub/leetk/buffer.h"
#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

template <class In, class Stencil, class Predicate>
In stable_partition(const System& system, In first, In last, Stencil stencil, Predicate pred) {
    auto items = raw(first);
    auto flags = raw(stencil);
    ptrdiff_t count = last - first, made = 0;
    auto body = [&] {
        Buffer<ValueType<In>> rest{size_t(count)};
        for (ptrdiff_t i = 0; i < count; ++i) {
            ValueType<In> item = items[i];
            if (pred(flags[i])) {
                items[made++] = item;
            } else {
                rest.push(item);
            }
        }
        ptrdiff_t at = made;
        for (const auto& item : rest) items[at++] = item;
    };
    system.run(body, first, stencil);
    return first + made;
}
template <class In, class Predicate>
In stable_partition(const System& system, In first, In last, Predicate pred) {
    return stable_partition(system, first, last, first, pred);
}
template <class In, class... A>
In partition(const System& system, In first, In last, const A&... arguments) {
    return stable_partition(system, first, last, arguments...);
}

template <class In, class Out1, class Out2, class Predicate>
std::pair<Out1, Out2> stable_partition_copy(const System& system, In first, In last, Out1 yes,
                                            Out2 no, Predicate pred) {
    auto from = raw(first);
    auto yes_to = raw(yes);
    auto no_to = raw(no);
    ptrdiff_t count = last - first, selected = 0, rest = 0;
    auto body = [&] {
        for (ptrdiff_t i = 0; i < count; ++i) {
            ValueType<In> item = from[i];
            if (pred(item)) {
                yes_to[selected++] = item;
            } else {
                no_to[rest++] = item;
            }
        }
    };
    system.run(body, first, yes, no);
    return {yes + selected, no + rest};
}
template <class In, class Out1, class Out2, class Predicate>
std::pair<Out1, Out2> partition_copy(const System& system, In first, In last, Out1 yes, Out2 no,
                                     Predicate pred) {
    return stable_partition_copy(system, first, last, yes, no, pred);
}

template <class In, class Predicate>
In partition_point(const System& system, In first, In last, Predicate pred) {
    auto items = raw(first);
    ptrdiff_t count = last - first, found = 0;
    auto body = [&] {
        while (found < count && pred(items[found])) ++found;
    };
    system.run(body, first);
    return first + found;
}
template <class In, class Predicate>
bool is_partitioned(const System& system, In first, In last, Predicate pred) {
    auto items = raw(first);
    ptrdiff_t count = last - first, i = 0;
    auto body = [&] {
        while (i < count && pred(items[i])) ++i;
        while (i < count && !pred(items[i])) ++i;
    };
    system.run(body, first);
    return i == count;
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

LEETK_THRUST(partition, (class In, class Predicate), (In first, In last, Predicate pred),
             (first, last, pred))
LEETK_THRUST(partition, (class In, class Stencil, class Predicate),
             (In first, In last, Stencil stencil, Predicate pred), (first, last, stencil, pred))
LEETK_THRUST(stable_partition, (class In, class Predicate), (In first, In last, Predicate pred),
             (first, last, pred))
LEETK_THRUST(stable_partition, (class In, class Stencil, class Predicate),
             (In first, In last, Stencil stencil, Predicate pred), (first, last, stencil, pred))
LEETK_THRUST(partition_copy, (class In, class Out1, class Out2, class Predicate),
             (In first, In last, Out1 out_true, Out2 out_false, Predicate pred),
             (first, last, out_true, out_false, pred))
LEETK_THRUST(stable_partition_copy, (class In, class Out1, class Out2, class Predicate),
             (In first, In last, Out1 out_true, Out2 out_false, Predicate pred),
             (first, last, out_true, out_false, pred))
LEETK_THRUST(partition_point, (class In, class Predicate), (In first, In last, Predicate pred),
             (first, last, pred))
LEETK_THRUST(is_partitioned, (class In, class Predicate), (In first, In last, Predicate pred),
             (first, last, pred))

}  // namespace thrust

#include "thrust/execution_policy.h"
#include "thrust/leetk/around.h"
#include "thrust/sort.h"

#endif
