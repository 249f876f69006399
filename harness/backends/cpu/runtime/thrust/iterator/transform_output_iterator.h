// thrust::transform_output_iterator: writes function(value).
#ifndef LEETK_THRUST_TRANSFORM_OUTPUT_ITERATOR_H
#define LEETK_THRUST_TRANSFORM_OUTPUT_ITERATOR_H
#pragma GCC system_header

#include "cub/leetk/iterator.h"
#include "thrust/leetk/raw_iterator.h"

namespace leetk {
template <class Function, class Iterator>
struct TransformedOutput {
    Function function;
    Iterator to;
    template <class T>
    const TransformedOutput& operator=(const T& value) const {
        *to = Function(function)(value);
        return *this;
    }
};
}  // namespace leetk

namespace thrust {

template <class Function, class Iterator>
class transform_output_iterator
    : public ::leetk::InputIterator<transform_output_iterator<Function, Iterator>, void,
                                    ::leetk::TransformedOutput<Function, Iterator>> {
public:
    transform_output_iterator(Iterator to, Function with) : inner(to), function(with) {}

    Function functor() const { return function; }
    const Iterator& base() const { return inner; }
    ::leetk::TransformedOutput<Function, Iterator> get() const { return {function, inner}; }
    void move(ptrdiff_t by) { inner += by; }
    ptrdiff_t since(const transform_output_iterator& other) const {
        return ptrdiff_t(inner - other.inner);
    }

private:
    Iterator inner;
    Function function;
};

template <class Function, class Iterator>
transform_output_iterator<Function, Iterator> make_transform_output_iterator(Iterator to,
                                                                             Function function) {
    return transform_output_iterator<Function, Iterator>(to, function);
}

}  // namespace thrust

namespace leetk {
template <class Function, class Iterator>
struct RawIterator<thrust::transform_output_iterator<Function, Iterator>> {
    static constexpr bool on_device = RawIterator<Iterator>::on_device;
    using type = thrust::transform_output_iterator<Function, typename RawIterator<Iterator>::type>;
    static type of(const thrust::transform_output_iterator<Function, Iterator>& it) {
        return type(raw(it.base()), it.functor());
    }
};
}  // namespace leetk

#endif
