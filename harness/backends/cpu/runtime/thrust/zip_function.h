// thrust::zip_function: calls a function with a tuple's elements.
#ifndef LEETK_THRUST_ZIP_FUNCTION_H
#define LEETK_THRUST_ZIP_FUNCTION_H
#pragma GCC system_header

#include <tuple>

namespace thrust {

template <class Function>
class zip_function {
public:
    zip_function(Function with) : function(with) {}
    template <class Tuple>
    decltype(auto) operator()(Tuple&& arguments) const {
        return std::apply(function, static_cast<Tuple&&>(arguments));
    }

private:
    mutable Function function;
};

template <class Function>
zip_function<std::decay_t<Function>> make_zip_function(Function&& function) {
    return {static_cast<Function&&>(function)};
}

}  // namespace thrust

#endif
