// thrust::gather, gather_if: result[i] = input[map[i]].
#ifndef LEETK_THRUST_GATHER_H
#define LEETK_THRUST_GATHER_H
#pragma GCC system_header

#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

template <class Map, class In, class Out>
Out gather(const System& system, Map map_first, Map map_last, In input, Out result) {
    auto map = raw(map_first);
    auto from = raw(input);
    auto to = raw(result);
    ptrdiff_t count = map_last - map_first;
    auto body = [&] {
        for (ptrdiff_t i = 0; i < count; ++i) to[i] = from[map[i]];
    };
    system.run(body, map_first, input, result);
    return result + count;
}
template <class Map, class Stencil, class In, class Out, class Predicate>
Out gather_if(const System& system, Map map_first, Map map_last, Stencil stencil, In input,
              Out result, Predicate pred) {
    auto map = raw(map_first);
    auto flags = raw(stencil);
    auto from = raw(input);
    auto to = raw(result);
    ptrdiff_t count = map_last - map_first;
    auto body = [&] {
        for (ptrdiff_t i = 0; i < count; ++i) {
            if (pred(flags[i])) to[i] = from[map[i]];
        }
    };
    system.run(body, map_first, stencil, input, result);
    return result + count;
}
template <class Map, class Stencil, class In, class Out>
Out gather_if(const System& system, Map map_first, Map map_last, Stencil stencil, In input,
              Out result) {
    return gather_if(system, map_first, map_last, stencil, input, result,
                     [](const auto& flag) { return bool(flag); });
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

LEETK_THRUST(gather, (class Map, class In, class Out),
             (Map map_first, Map map_last, In input_first, Out result),
             (map_first, map_last, input_first, result))
LEETK_THRUST(gather_if, (class Map, class Stencil, class In, class Out),
             (Map map_first, Map map_last, Stencil stencil, In input_first, Out result),
             (map_first, map_last, stencil, input_first, result))
LEETK_THRUST(gather_if, (class Map, class Stencil, class In, class Out, class Predicate),
             (Map map_first, Map map_last, Stencil stencil, In input_first, Out result,
              Predicate pred),
             (map_first, map_last, stencil, input_first, result, pred))

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
