// thrust::scatter, scatter_if: result[map[i]] = input[i].
#ifndef LEETK_THRUST_SCATTER_H
#define LEETK_THRUST_SCATTER_H
#pragma GCC system_header

#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

template <class In, class Map, class Out>
void scatter(const System& system, In first, In last, Map map_first, Out result) {
    auto from = raw(first);
    auto map = raw(map_first);
    auto to = raw(result);
    ptrdiff_t count = last - first;
    auto body = [&] {
        for (ptrdiff_t i = 0; i < count; ++i) to[map[i]] = from[i];
    };
    system.run(body, first, map_first, result);
}
template <class In, class Map, class Stencil, class Out, class Predicate>
void scatter_if(const System& system, In first, In last, Map map_first, Stencil stencil, Out result,
                Predicate pred) {
    auto from = raw(first);
    auto map = raw(map_first);
    auto flags = raw(stencil);
    auto to = raw(result);
    ptrdiff_t count = last - first;
    auto body = [&] {
        for (ptrdiff_t i = 0; i < count; ++i) {
            if (pred(flags[i])) to[map[i]] = from[i];
        }
    };
    system.run(body, first, map_first, stencil, result);
}
template <class In, class Map, class Stencil, class Out>
void scatter_if(const System& system, In first, In last, Map map_first, Stencil stencil,
                Out result) {
    scatter_if(system, first, last, map_first, stencil, result,
               [](const auto& flag) { return bool(flag); });
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

LEETK_THRUST(scatter, (class In, class Map, class Out),
             (In first, In last, Map map, Out result), (first, last, map, result))
LEETK_THRUST(scatter_if, (class In, class Map, class Stencil, class Out),
             (In first, In last, Map map, Stencil stencil, Out output),
             (first, last, map, stencil, output))
LEETK_THRUST(scatter_if, (class In, class Map, class Stencil, class Out, class Predicate),
             (In first, In last, Map map, Stencil stencil, Out output, Predicate pred),
             (first, last, map, stencil, output, pred))

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
