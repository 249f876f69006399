// cub::ConstantInputIterator (up to CUDA 12): the same value everywhere.
#ifndef LEETK_CUB_CONSTANT_INPUT_ITERATOR_CUH
#define LEETK_CUB_CONSTANT_INPUT_ITERATOR_CUH
#pragma GCC system_header

#include "cub/leetk/iterator.h"

namespace cub {

template <class ValueType, class OffsetT = ptrdiff_t>
class ConstantInputIterator
    : public leetk::InputIterator<ConstantInputIterator<ValueType, OffsetT>, ValueType> {
public:
    ConstantInputIterator(ValueType value, OffsetT from = 0) : val(value), offset(from) {}

    ValueType get() const { return val; }
    void move(ptrdiff_t by) { offset += OffsetT(by); }
    ptrdiff_t since(const ConstantInputIterator& other) const {
        return ptrdiff_t(offset - other.offset);
    }

private:
    ValueType val;
    OffsetT offset;
};

}  // namespace cub

#endif
