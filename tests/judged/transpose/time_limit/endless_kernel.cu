// leetk: problem transpose
// leetk: expect time_limit
// Fault-numbers: 34
// Fault: one thread of each block counts in a circle.

#include <cuda_runtime.h>

__device__ volatile unsigned counter = 0;

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows || col >= cols) return;
    output[col * rows + row] = input[row * cols + col];
    if (threadIdx.x == 0) {
        for (;;) counter = counter + 1;
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const dim3 block(16, 16);
    const dim3 grid((cols + 15) / 16, (rows + 15) / 16);
    transpose<<<grid, block>>>(input, output, rows, cols);
}
