// What the block-wide collectives have in common.
#ifndef LEETK_CUB_BLOCK_H
#define LEETK_CUB_BLOCK_H
#pragma GCC system_header

#include "cub/leetk/meeting.h"

// Constructors take the caller's place in the source, which barriers then name.
#define LEETK_CUB_HERE ::leetk::Here here = {__builtin_FILE(), __builtin_LINE()}

namespace cub {

inline int RowMajorTid(int block_dim_x, int block_dim_y, int block_dim_z) {
    int y = block_dim_y == 1 ? 0 : int(threadIdx.y) * block_dim_x;
    int z = block_dim_z == 1 ? 0 : int(threadIdx.z) * block_dim_x * block_dim_y;
    return z + y + int(threadIdx.x);
}

}  // namespace cub

namespace leetk {

// The shape that a collective was declared with. A block of another shape gets what a device
// gives: threads that share a number, or none for some.
template <int X, int Y, int Z>
struct BlockShape {
    static constexpr int threads = X * Y * Z;
    static constexpr int warps = (threads + 31) / 32;
    static int rank() { return cub::RowMajorTid(X, Y, Z); }
};

}  // namespace leetk

#endif
