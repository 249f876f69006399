// thrust::constant_iterator: the same value everywhere.
#ifndef LEETK_THRUST_CONSTANT_ITERATOR_H
#define LEETK_THRUST_CONSTANT_ITERATOR_H
#pragma GCC system_header

#include "cub/leetk/iterator.h"
#include "thrust/iterator/iterator_traits.h"

namespace thrust {

template <class Value, class Incrementable = ptrdiff_t, class System = void>
class constant_iterator
    : public ::leetk::InputIterator<constant_iterator<Value, Incrementable, System>, Value> {
public:
    constant_iterator() : constant(), at() {}
    constant_iterator(const Value& value, const Incrementable& position = Incrementable())
        : constant(value), at(position) {}

    const Value& value() const { return constant; }
    Value get() const { return constant; }
    void move(ptrdiff_t by) { at = Incrementable(at + by); }
    ptrdiff_t since(const constant_iterator& other) const { return ptrdiff_t(at - other.at); }

private:
    Value constant;
    Incrementable at;
};

template <class Value>
constant_iterator<Value> make_constant_iterator(Value value) {
    return constant_iterator<Value>(value);
}
template <class Value, class Incrementable>
constant_iterator<Value, Incrementable> make_constant_iterator(Value value, Incrementable at) {
    return constant_iterator<Value, Incrementable>(value, at);
}

}  // namespace thrust

#endif
