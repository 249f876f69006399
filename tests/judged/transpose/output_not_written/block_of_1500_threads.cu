// leetk: problem transpose
// leetk: expect output_not_written
// Fault-numbers: 43
// Fault: 1,500 threads are more than a block may have; the launch fails.
// expect-text: cudaErrorInvalid

#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows || col >= cols) return;
    output[col * rows + row] = input[row * cols + col];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const dim3 grid((cols + 49) / 50, (rows + 29) / 30);
    transpose<<<grid, dim3(50, 30)>>>(input, output, rows, cols);
}
