// thrust::sequence: init, init + step, init + 2 step, ...
#ifndef LEETK_THRUST_SEQUENCE_H
#define LEETK_THRUST_SEQUENCE_H
#pragma GCC system_header

#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

template <class Out, class T>
void sequence(const System& system, Out first, Out last, T init, T step) {
    auto to = raw(first);
    ptrdiff_t count = last - first;
    auto body = [&] {
        for (ptrdiff_t i = 0; i < count; ++i) to[i] = T(init + step * T(i));
    };
    system.run(body, first);
}
template <class Out, class T>
void sequence(const System& system, Out first, Out last, T init) {
    sequence(system, first, last, init, T(1));
}
template <class Out>
void sequence(const System& system, Out first, Out last) {
    using T = ValueType<Out>;
    sequence(system, first, last, T(0), T(1));
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

LEETK_THRUST(sequence, (class Out), (Out first, Out last), (first, last))
LEETK_THRUST(sequence, (class Out, class T), (Out first, Out last, T init), (first, last, init))
LEETK_THRUST(sequence, (class Out, class T), (Out first, Out last, T init, T step),
             (first, last, init, step))

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
