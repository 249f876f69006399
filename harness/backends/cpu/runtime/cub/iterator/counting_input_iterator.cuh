// cub::CountingInputIterator (up to CUDA 12): n, n + 1, n + 2, ...
#ifndef LEETK_CUB_COUNTING_INPUT_ITERATOR_CUH
#define LEETK_CUB_COUNTING_INPUT_ITERATOR_CUH
#pragma GCC system_header

#include "cub/leetk/iterator.h"

namespace cub {

template <class ValueType, class OffsetT = ptrdiff_t>
class CountingInputIterator
    : public leetk::InputIterator<CountingInputIterator<ValueType, OffsetT>, ValueType> {
public:
    CountingInputIterator(const ValueType& first) : val(first) {}

    ValueType get() const { return val; }
    void move(ptrdiff_t by) { val = ValueType(val + ValueType(by)); }
    ptrdiff_t since(const CountingInputIterator& other) const {
        return ptrdiff_t(val) - ptrdiff_t(other.val);
    }

private:
    ValueType val;
};

}  // namespace cub

#endif
