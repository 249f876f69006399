// ThreadLoad with a cache modifier: a plain load, as there is no cache to choose.
#ifndef LEETK_CUB_THREAD_LOAD_CUH
#define LEETK_CUB_THREAD_LOAD_CUH
#pragma GCC system_header

#include "cub/util_type.cuh"

namespace cub {

enum CacheLoadModifier {
    LOAD_DEFAULT,
    LOAD_CA,
    LOAD_CG,
    LOAD_CS,
    LOAD_CV,
    LOAD_LDG,
    LOAD_VOLATILE,
};

template <CacheLoadModifier MODIFIER, class Iterator>
typename std::iterator_traits<Iterator>::value_type ThreadLoad(Iterator from) {
    return *from;
}

}  // namespace cub

#endif
