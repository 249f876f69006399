// thrust::inner_product.
#ifndef LEETK_THRUST_INNER_PRODUCT_H
#define LEETK_THRUST_INNER_PRODUCT_H
#pragma GCC system_header

#include "cub/leetk/fold.h"
#include "cuda/leetk/operators.h"
#include "thrust/leetk/system.h"

namespace leetk {
namespace algorithms {

template <class In1, class In2, class T, class Sum, class Product>
T inner_product(const System& system, In1 first, In1 last, In2 second, T init, Sum sum,
                Product product) {
    auto a = raw(first);
    auto b = raw(second);
    ptrdiff_t count = last - first;
    struct Products {
        decltype(a) left;
        decltype(b) right;
        Product& product;
        T operator[](ptrdiff_t i) { return product(left[i], right[i]); }
    };
    auto body = [&] {
        Products products{a, b, product};
        if (count > 0) init = sum(init, fold<T>(products, 0, count, sum));
    };
    system.run(body, first, second);
    return init;
}
template <class In1, class In2, class T>
T inner_product(const System& system, In1 first, In1 last, In2 second, T init) {
    return inner_product(system, first, last, second, init, std::plus<>{}, std::multiplies<>{});
}

}  // namespace algorithms
}  // namespace leetk

namespace thrust {

LEETK_THRUST(inner_product, (class In1, class In2, class T),
             (In1 first1, In1 last1, In2 first2, T init), (first1, last1, first2, init))
LEETK_THRUST(inner_product, (class In1, class In2, class T, class Sum, class Product),
             (In1 first1, In1 last1, In2 first2, T init, Sum sum, Product product),
             (first1, last1, first2, init, sum, product))

}  // namespace thrust

#include "thrust/leetk/around.h"

#endif
