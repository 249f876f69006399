// ThreadStore with a cache modifier: a plain store, as there is no cache to choose.
#ifndef LEETK_CUB_THREAD_STORE_CUH
#define LEETK_CUB_THREAD_STORE_CUH
#pragma GCC system_header

#include "cub/util_type.cuh"

namespace cub {

enum CacheStoreModifier {
    STORE_DEFAULT,
    STORE_WB,
    STORE_CG,
    STORE_CS,
    STORE_WT,
    STORE_VOLATILE,
};

template <CacheStoreModifier MODIFIER, class Iterator, class T>
void ThreadStore(Iterator to, T value) {
    *to = value;
}

}  // namespace cub

#endif
