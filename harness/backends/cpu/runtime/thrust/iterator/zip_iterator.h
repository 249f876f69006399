// thrust::zip_iterator: a tuple of what several iterators point to.
#ifndef LEETK_THRUST_ZIP_ITERATOR_H
#define LEETK_THRUST_ZIP_ITERATOR_H
#pragma GCC system_header

#include <tuple>

#include "cub/leetk/iterator.h"
#include "thrust/leetk/raw_iterator.h"
#include "thrust/tuple.h"

namespace thrust {

template <class Iterators>
class zip_iterator;

template <class... Iterators>
class zip_iterator<std::tuple<Iterators...>>
    : public ::leetk::InputIterator<
          zip_iterator<std::tuple<Iterators...>>,
          std::tuple<typename std::iterator_traits<Iterators>::value_type...>,
          std::tuple<typename std::iterator_traits<Iterators>::reference...>> {
    using References = std::tuple<typename std::iterator_traits<Iterators>::reference...>;

public:
    zip_iterator() = default;
    zip_iterator(const std::tuple<Iterators...>& all) : iterators(all) {}
    template <class... Others, class = std::enable_if_t<sizeof...(Others) == sizeof...(Iterators) &&
                                                        (sizeof...(Others) > 1)>>
    zip_iterator(const Others&... others) : iterators(others...) {}

    const std::tuple<Iterators...>& get_iterator_tuple() const { return iterators; }
    References get() const {
        return std::apply([](const auto&... it) { return References(*it...); }, iterators);
    }
    void move(ptrdiff_t by) {
        std::apply([by](auto&... it) { ((it += by), ...); }, iterators);
    }
    ptrdiff_t since(const zip_iterator& other) const {
        return ptrdiff_t(std::get<0>(iterators) - std::get<0>(other.iterators));
    }

private:
    std::tuple<Iterators...> iterators;
};

template <class... Iterators>
zip_iterator<std::tuple<Iterators...>> make_zip_iterator(const std::tuple<Iterators...>& all) {
    return zip_iterator<std::tuple<Iterators...>>(all);
}
template <class First, class... Iterators, class = typename std::iterator_traits<First>::reference>
zip_iterator<std::tuple<First, Iterators...>> make_zip_iterator(First first, Iterators... more) {
    return zip_iterator<std::tuple<First, Iterators...>>(std::make_tuple(first, more...));
}

}  // namespace thrust

namespace leetk {
template <class... Iterators>
struct RawIterator<thrust::zip_iterator<std::tuple<Iterators...>>> {
    static constexpr bool on_device = (RawIterator<Iterators>::on_device || ...);
    using Raws = std::tuple<typename RawIterator<Iterators>::type...>;
    using type = thrust::zip_iterator<Raws>;
    static type of(const thrust::zip_iterator<std::tuple<Iterators...>>& it) {
        return std::apply([](const auto&... each) { return type(Raws(raw(each)...)); },
                          it.get_iterator_tuple());
    }
};
}  // namespace leetk

#endif
