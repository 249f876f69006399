// cub::DeviceFor. Each call also exists in two phases.
#ifndef LEETK_CUB_DEVICE_FOR_CUH
#define LEETK_CUB_DEVICE_FOR_CUH
#pragma GCC system_header

#include "cub/leetk/device_call.h"
#include "cub/leetk/fold.h"

namespace cub {

struct DeviceFor {
    // op(i) for 0 <= i < shape.
    template <class Shape, class Op>
    static cudaError_t Bulk(Shape shape, Op op, LEETK_CUB_DEVICE) {
        auto body = [&] {
            for (Shape i = 0; i < shape; ++i) op(i);
        };
        return cudaError_t(leetk::on_device("cub::DeviceFor::Bulk", here, stream, 1, body));
    }
    // op gets the items themselves, by reference.
    template <class Iterator, class Count, class Op>
    static cudaError_t ForEachN(Iterator first, Count num_items, Op op, LEETK_CUB_DEVICE) {
        auto body = [&] {
            for (long long i = 0; i < (long long)num_items; ++i) op(first[i]);
        };
        return cudaError_t(
            leetk::on_device("cub::DeviceFor::ForEach", here, stream, 1, body, first));
    }
    template <class Iterator, class Op>
    static cudaError_t ForEach(Iterator first, Iterator last, Op op, LEETK_CUB_DEVICE) {
        return ForEachN(first, last - first, op, stream, here);
    }
    // op gets copies.
    template <class Iterator, class Count, class Op>
    static cudaError_t ForEachCopyN(Iterator first, Count num_items, Op op, LEETK_CUB_DEVICE) {
        auto body = [&] {
            for (long long i = 0; i < (long long)num_items; ++i) {
                leetk::ValueOf<Iterator> item = first[i];
                op(item);
            }
        };
        return cudaError_t(
            leetk::on_device("cub::DeviceFor::ForEachCopy", here, stream, 1, body, first));
    }
    template <class Iterator, class Op>
    static cudaError_t ForEachCopy(Iterator first, Iterator last, Op op, LEETK_CUB_DEVICE) {
        return ForEachCopyN(first, last - first, op, stream, here);
    }

#define LEETK_CUB_TWO_PHASES(name, First, Second)                                               \
    template <class First, class Second, class Op>                                              \
    static cudaError_t name(void* d_temp_storage, size_t& temp_storage_bytes, First first,      \
                            Second second, Op op, LEETK_CUB_DEVICE) {                           \
        if (d_temp_storage) return name(first, second, op, stream, here);                       \
        temp_storage_bytes = 1;                                                                 \
        return cudaSuccess;                                                                     \
    }
    LEETK_CUB_TWO_PHASES(ForEach, Iterator, Last)
    LEETK_CUB_TWO_PHASES(ForEachN, Iterator, Count)
    LEETK_CUB_TWO_PHASES(ForEachCopy, Iterator, Last)
    LEETK_CUB_TWO_PHASES(ForEachCopyN, Iterator, Count)
#undef LEETK_CUB_TWO_PHASES
    template <class Shape, class Op>
    static cudaError_t Bulk(void* d_temp_storage, size_t& temp_storage_bytes, Shape shape, Op op,
                            LEETK_CUB_DEVICE) {
        if (d_temp_storage) return Bulk(shape, op, stream, here);
        temp_storage_bytes = 1;
        return cudaSuccess;
    }
};

}  // namespace cub

#endif
