// cub::ArgIndexInputIterator: pairs of an index and the item there.
#ifndef LEETK_CUB_ARG_INDEX_INPUT_ITERATOR_CUH
#define LEETK_CUB_ARG_INDEX_INPUT_ITERATOR_CUH
#pragma GCC system_header

#include "cub/leetk/iterator.h"
#include "cub/util_type.cuh"

namespace cub {

template <class InputIteratorT, class OffsetT = ptrdiff_t,
          class OutputValueT = typename std::iterator_traits<InputIteratorT>::value_type>
class ArgIndexInputIterator
    : public leetk::InputIterator<ArgIndexInputIterator<InputIteratorT, OffsetT, OutputValueT>,
                                  KeyValuePair<OffsetT, OutputValueT>> {
public:
    ArgIndexInputIterator(InputIteratorT from, OffsetT first = 0) : itr(from), offset(first) {}

    KeyValuePair<OffsetT, OutputValueT> get() const { return {offset, itr[offset]}; }
    void move(ptrdiff_t by) { offset += OffsetT(by); }
    ptrdiff_t since(const ArgIndexInputIterator& other) const {
        return ptrdiff_t(offset - other.offset);
    }
    void normalize() {
        itr = itr + offset;
        offset = 0;
    }

private:
    InputIteratorT itr;
    OffsetT offset;
};

}  // namespace cub

#endif
