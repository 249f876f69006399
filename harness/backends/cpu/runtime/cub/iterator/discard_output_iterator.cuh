// cub::DiscardOutputIterator (up to CUDA 12): takes anything and keeps nothing.
#ifndef LEETK_CUB_DISCARD_OUTPUT_ITERATOR_CUH
#define LEETK_CUB_DISCARD_OUTPUT_ITERATOR_CUH
#pragma GCC system_header

#include "cub/leetk/iterator.h"
#include "cub/util_type.cuh"

namespace cub {

template <class OffsetT = ptrdiff_t>
class DiscardOutputIterator
    : public leetk::InputIterator<DiscardOutputIterator<OffsetT>, NullType> {
public:
    DiscardOutputIterator(OffsetT from = 0) : offset(from) {}

    NullType get() const { return {}; }
    void move(ptrdiff_t by) { offset += OffsetT(by); }
    ptrdiff_t since(const DiscardOutputIterator& other) const {
        return ptrdiff_t(offset - other.offset);
    }

private:
    OffsetT offset;
};

}  // namespace cub

#endif
