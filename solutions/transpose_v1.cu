// leetk: problem transpose
//
// Idea:   one thread moves one element from (row, col) of the input to (col, row) of the output.
// Change: the first rung; neighbouring threads read neighbouring addresses.
// Cost:   they write addresses `rows` floats apart: 16 sectors a warp's store where 4 would do.
// Expect: about 0.22 of a device copy on an H200, counting the bytes once in and once out.
// Source: the naive kernel of a study note on transposing.

#include <cuda_runtime.h>

__global__ void transpose_naive(const float* input, float* output, int rows, int cols) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) {
        output[col * rows + row] = input[row * cols + col];
    }
}

// input is rows x cols, output is cols x rows, both row-major in device memory.
extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const dim3 block(16, 16);
    const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    transpose_naive<<<grid, block>>>(input, output, rows, cols);
}
