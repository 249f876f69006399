// thrust::counting_iterator: n, n + 1, n + 2, ...
#ifndef LEETK_THRUST_COUNTING_ITERATOR_H
#define LEETK_THRUST_COUNTING_ITERATOR_H
#pragma GCC system_header

#include "cub/leetk/iterator.h"
#include "thrust/iterator/iterator_traits.h"

namespace thrust {

template <class Incrementable, class System = void, class Traversal = void,
          class Difference = ptrdiff_t>
class counting_iterator
    : public ::leetk::InputIterator<
          counting_iterator<Incrementable, System, Traversal, Difference>, Incrementable> {
public:
    counting_iterator() : value() {}
    explicit counting_iterator(Incrementable first) : value(first) {}

    Incrementable base() const { return value; }
    Incrementable get() const { return value; }
    void move(ptrdiff_t by) { value = Incrementable(value + by); }
    ptrdiff_t since(const counting_iterator& other) const {
        return ptrdiff_t(value - other.value);
    }

private:
    Incrementable value;
};

template <class Incrementable>
counting_iterator<Incrementable> make_counting_iterator(Incrementable first) {
    return counting_iterator<Incrementable>(first);
}

}  // namespace thrust

#endif
