// leetk: problem transpose
// leetk: expect output_not_written
// Fault: the grid is rounded down: a matrix smaller than a tile has no block at all, as have all tails.
// Fault-numbers: 59

#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    output[col * rows + row] = input[row * cols + col];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<dim3(cols / 16, rows / 16), dim3(16, 16)>>>(input, output, rows, cols);
}
