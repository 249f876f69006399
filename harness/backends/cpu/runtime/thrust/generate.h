// thrust::generate, generate_n.
#ifndef LEETK_THRUST_GENERATE_H
#define LEETK_THRUST_GENERATE_H
#pragma GCC system_header

#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

template <class Out, class Generator>
void generate(const System& system, Out first, Out last, Generator gen) {
    auto to = raw(first);
    ptrdiff_t count = last - first;
    auto body = [&] {
        for (ptrdiff_t i = 0; i < count; ++i) to[i] = gen();
    };
    system.run(body, first);
}

template <class Out, class Size, class Generator>
Out generate_n(const System& system, Out first, Size n, Generator gen) {
    generate(system, first, first + n, gen);
    return first + n;
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

LEETK_THRUST(generate, (class Out, class Generator), (Out first, Out last, Generator gen),
             (first, last, gen))
LEETK_THRUST(generate_n, (class Out, class Size, class Generator),
             (Out first, Size n, Generator gen), (first, n, gen))

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
