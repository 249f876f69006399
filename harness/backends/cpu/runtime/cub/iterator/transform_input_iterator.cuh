// cub::TransformInputIterator (up to CUDA 12): op(*it).
#ifndef LEETK_CUB_TRANSFORM_INPUT_ITERATOR_CUH
#define LEETK_CUB_TRANSFORM_INPUT_ITERATOR_CUH
#pragma GCC system_header

#include "cub/leetk/iterator.h"

namespace cub {

template <class ValueType, class ConversionOp, class InputIteratorT, class OffsetT = ptrdiff_t>
class TransformInputIterator
    : public leetk::InputIterator<
          TransformInputIterator<ValueType, ConversionOp, InputIteratorT, OffsetT>, ValueType> {
public:
    TransformInputIterator(InputIteratorT from, ConversionOp op)
        : conversion_op(op), input_itr(from) {}

    ValueType get() const { return ConversionOp(conversion_op)(*input_itr); }
    void move(ptrdiff_t by) { input_itr = input_itr + by; }
    ptrdiff_t since(const TransformInputIterator& other) const {
        return ptrdiff_t(input_itr - other.input_itr);
    }

private:
    ConversionOp conversion_op;
    InputIteratorT input_itr;
};

}  // namespace cub

#endif
