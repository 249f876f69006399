// thrust::placeholders: `_1 * 2 + _2` is a function object.
#ifndef LEETK_THRUST_PLACEHOLDERS_H
#define LEETK_THRUST_PLACEHOLDERS_H
#pragma GCC system_header

#include <tuple>
#include <type_traits>

namespace leetk {
namespace actors {

template <class Function>
struct Actor {
    Function function;
    template <class... A>
    auto operator()(const A&... arguments) const {
        return function(arguments...);
    }
};

template <int index>
struct Argument {
    template <class... A>
    auto operator()(const A&... arguments) const {
        return std::get<index>(std::tie(arguments...));
    }
};

template <class T>
constexpr bool is_actor = false;
template <class Function>
constexpr bool is_actor<Actor<Function>> = true;

template <class Function>
Actor<Function> make_actor(Function function) {
    return {function};
}
template <class T, class... A>
auto evaluate(const T& part, const A&... arguments) {
    if constexpr (is_actor<T>) {
        return part(arguments...);
    } else {
        return part;
    }
}

#define LEETK_BINARY(op)                                                                   \
    template <class L, class R, class = std::enable_if_t<is_actor<L> || is_actor<R>>>      \
    auto operator op(const L& left, const R& right) {                                      \
        return make_actor([left, right](const auto&... arguments) {                        \
            return evaluate(left, arguments...) op evaluate(right, arguments...);          \
        });                                                                                \
    }
LEETK_BINARY(+)
LEETK_BINARY(-)
LEETK_BINARY(*)
LEETK_BINARY(/)
LEETK_BINARY(%)
LEETK_BINARY(==)
LEETK_BINARY(!=)
LEETK_BINARY(<)
LEETK_BINARY(>)
LEETK_BINARY(<=)
LEETK_BINARY(>=)
LEETK_BINARY(&&)
LEETK_BINARY(||)
LEETK_BINARY(&)
LEETK_BINARY(|)
LEETK_BINARY(^)
LEETK_BINARY(<<)
LEETK_BINARY(>>)
#undef LEETK_BINARY

#define LEETK_UNARY(op)                                                                    \
    template <class Function>                                                              \
    auto operator op(const Actor<Function>& part) {                                        \
        return make_actor([part](const auto&... arguments) { return op part(arguments...); }); \
    }
LEETK_UNARY(-)
LEETK_UNARY(+)
LEETK_UNARY(!)
LEETK_UNARY(~)
#undef LEETK_UNARY

}  // namespace actors
}  // namespace leetk

namespace thrust {
namespace placeholders {
inline constexpr ::leetk::actors::Actor<::leetk::actors::Argument<0>> _1{};
inline constexpr ::leetk::actors::Actor<::leetk::actors::Argument<1>> _2{};
inline constexpr ::leetk::actors::Actor<::leetk::actors::Argument<2>> _3{};
inline constexpr ::leetk::actors::Actor<::leetk::actors::Argument<3>> _4{};
inline constexpr ::leetk::actors::Actor<::leetk::actors::Argument<4>> _5{};
}  // namespace placeholders
}  // namespace thrust

#endif
