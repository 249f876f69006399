// cub::CacheModifiedInputIterator.
#ifndef LEETK_CUB_CACHE_MODIFIED_INPUT_ITERATOR_CUH
#define LEETK_CUB_CACHE_MODIFIED_INPUT_ITERATOR_CUH
#pragma GCC system_header

#include "cub/leetk/iterator.h"
#include "cub/thread/thread_load.cuh"

namespace cub {

template <CacheLoadModifier MODIFIER, class ValueType, class OffsetT = ptrdiff_t>
struct CacheModifiedInputIterator
    : leetk::InputIterator<CacheModifiedInputIterator<MODIFIER, ValueType, OffsetT>, ValueType> {
    using difference_type = OffsetT;

    const ValueType* ptr;

    CacheModifiedInputIterator(const ValueType* from) : ptr(from) {}

    ValueType get() const { return *ptr; }
    void move(ptrdiff_t by) { ptr += by; }
    ptrdiff_t since(const CacheModifiedInputIterator& other) const { return ptr - other.ptr; }
};

}  // namespace cub

#endif
