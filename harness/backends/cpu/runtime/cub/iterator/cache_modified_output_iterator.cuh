// cub::CacheModifiedOutputIterator.
#ifndef LEETK_CUB_CACHE_MODIFIED_OUTPUT_ITERATOR_CUH
#define LEETK_CUB_CACHE_MODIFIED_OUTPUT_ITERATOR_CUH
#pragma GCC system_header

#include "cub/leetk/iterator.h"
#include "cub/thread/thread_store.cuh"

namespace cub {

template <CacheStoreModifier MODIFIER, class ValueType, class OffsetT = ptrdiff_t>
class CacheModifiedOutputIterator
    : public leetk::InputIterator<CacheModifiedOutputIterator<MODIFIER, ValueType, OffsetT>,
                                  ValueType, ValueType&> {
public:
    CacheModifiedOutputIterator(ValueType* to) : ptr(to) {}

    ValueType& get() const { return *ptr; }
    void move(ptrdiff_t by) { ptr += by; }
    ptrdiff_t since(const CacheModifiedOutputIterator& other) const { return ptr - other.ptr; }

private:
    ValueType* ptr;
};

}  // namespace cub

#endif
