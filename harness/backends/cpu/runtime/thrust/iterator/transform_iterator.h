// thrust::transform_iterator: function(*it).
#ifndef LEETK_THRUST_TRANSFORM_ITERATOR_H
#define LEETK_THRUST_TRANSFORM_ITERATOR_H
#pragma GCC system_header

#include "cub/leetk/iterator.h"
#include "thrust/iterator/iterator_traits.h"
#include "thrust/leetk/raw_iterator.h"

namespace leetk {
template <class Function, class Iterator>
using TransformResult = decltype(std::declval<Function&>()(*std::declval<const Iterator&>()));
}  // namespace leetk

namespace thrust {

template <class Function, class Iterator,
          class Reference = ::leetk::TransformResult<Function, Iterator>,
          class Value = std::decay_t<Reference>>
class transform_iterator
    : public ::leetk::InputIterator<transform_iterator<Function, Iterator, Reference, Value>, Value,
                                    Reference> {
public:
    transform_iterator() = default;
    transform_iterator(const Iterator& from, Function with) : inner(from), function(with) {}
    explicit transform_iterator(const Iterator& from) : inner(from), function() {}

    Function functor() const { return function; }
    const Iterator& base() const { return inner; }
    Reference get() const { return Function(function)(*inner); }
    void move(ptrdiff_t by) { inner += by; }
    ptrdiff_t since(const transform_iterator& other) const {
        return ptrdiff_t(inner - other.inner);
    }
    // Lambdas can't be assigned, iterators must.
    transform_iterator(const transform_iterator&) = default;
    transform_iterator& operator=(const transform_iterator& other) {
        inner = other.inner;
        if constexpr (std::is_copy_assignable_v<Function>) function = other.function;
        return *this;
    }

private:
    Iterator inner;
    Function function;
};

template <class Function, class Iterator>
transform_iterator<Function, Iterator> make_transform_iterator(Iterator from, Function function) {
    return transform_iterator<Function, Iterator>(from, function);
}

}  // namespace thrust

namespace leetk {
template <class Function, class Iterator, class Reference, class Value>
struct RawIterator<thrust::transform_iterator<Function, Iterator, Reference, Value>> {
    static constexpr bool on_device = RawIterator<Iterator>::on_device;
    using Inner = typename RawIterator<Iterator>::type;
    using type = thrust::transform_iterator<Function, Inner>;
    static type of(const thrust::transform_iterator<Function, Iterator, Reference, Value>& it) {
        return type(raw(it.base()), it.functor());
    }
};
}  // namespace leetk

#endif
