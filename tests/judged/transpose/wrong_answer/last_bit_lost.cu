// leetk: problem transpose
// leetk: expect wrong_answer
// Fault-numbers: 22
// Fault: rounds a single bit away. An answer that must be exact leaves no room for it.

#include <cuda_runtime.h>

__device__ float without_last_bit(float x) { return __uint_as_float(__float_as_uint(x) & ~1u); }

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows || col >= cols) return;
    output[col * rows + row] = without_last_bit(input[row * cols + col]);
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const dim3 block(16, 16);
    const dim3 grid((cols + 15) / 16, (rows + 15) / 16);
    transpose<<<grid, block>>>(input, output, rows, cols);
}
