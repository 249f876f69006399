// cub::BlockHistogram: counts a block's items by their value, from 0 to BINS - 1.
#ifndef LEETK_CUB_BLOCK_HISTOGRAM_CUH
#define LEETK_CUB_BLOCK_HISTOGRAM_CUH
#pragma GCC system_header

#include "cub/leetk/block.h"

namespace cub {

enum BlockHistogramAlgorithm {
    BLOCK_HISTO_SORT,
    BLOCK_HISTO_ATOMIC,
};

template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD, int BINS,
          BlockHistogramAlgorithm ALGORITHM = BLOCK_HISTO_SORT, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockHistogram {
    using Shape = leetk::BlockShape<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;

public:
    struct TempStorage {};

    BlockHistogram(LEETK_CUB_HERE) : here(here), linear_tid(Shape::rank()) {}
    BlockHistogram(TempStorage&, LEETK_CUB_HERE) : here(here), linear_tid(Shape::rank()) {}

    template <class Counter>
    void InitHistogram(Counter histogram[BINS]) {
        for (int bin = linear_tid; bin < BINS; bin += Shape::threads) histogram[bin] = 0;
    }
    template <class Counter>
    void Histogram(T (&items)[ITEMS_PER_THREAD], Counter histogram[BINS]) {
        InitHistogram(histogram);
        leetk::block_barrier(here);
        Composite(items, histogram);
    }
    // Adds to what the histogram holds. With the sorting algorithm, CUB has waited for all threads
    // before it touches the bins.
    template <class Counter>
    void Composite(T (&items)[ITEMS_PER_THREAD], Counter histogram[BINS]) {
        if (ALGORITHM == BLOCK_HISTO_SORT) leetk::block_barrier(here);
        for (const T& item : items) histogram[int(item)] += 1;
    }

private:
    leetk::Here here;
    int linear_tid;
};

}  // namespace cub

#endif
