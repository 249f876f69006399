// leetk: problem transpose
//
// Idea:   compute offsets in size_t, so that over 2^31 - 1 elements are right too.
// Change: transpose_v4 with 64-bit offsets.
// Why:    row * cols in int wraps beyond 46,340 squared; the cast must precede the product.
// Expect: transpose_v4's speed within a few percent, 0.48 of a device copy on an H200.
// Source: the padded version of a note on two easy LeetGPU problems, which casts every offset.

#include <cuda_runtime.h>

#define TILE_SIZE 16

__global__ void transpose_padded_wide(const float* input, float* output, int rows, int cols) {
    __shared__ float tile[TILE_SIZE][TILE_SIZE + 1];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;

    const int in_col = blockIdx.x * TILE_SIZE + tx;
    const int in_row = blockIdx.y * TILE_SIZE + ty;
    if (in_row < rows && in_col < cols) {
        tile[ty][tx] = input[static_cast<size_t>(in_row) * cols + in_col];
    }
    __syncthreads();

    const int out_col = blockIdx.y * TILE_SIZE + tx;
    const int out_row = blockIdx.x * TILE_SIZE + ty;
    if (out_row < cols && out_col < rows) {
        output[static_cast<size_t>(out_row) * rows + out_col] = tile[tx][ty];
    }
}

// input is rows x cols, output is cols x rows, both row-major in device memory.
extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const dim3 block(TILE_SIZE, TILE_SIZE);
    const dim3 grid((cols + TILE_SIZE - 1) / TILE_SIZE, (rows + TILE_SIZE - 1) / TILE_SIZE);
    transpose_padded_wide<<<grid, block>>>(input, output, rows, cols);
}
