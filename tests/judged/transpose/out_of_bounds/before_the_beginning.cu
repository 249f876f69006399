// leetk: problem transpose
// leetk: expect out_of_bounds
// Fault: the first element is stored once more, one place too early.
// expect-text: output before

#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows || col >= cols) return;
    output[col * rows + row] = input[row * cols + col];
    if (row == 0 && col == 0) output[-1] = input[0];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const dim3 block(16, 16);
    const dim3 grid((cols + 15) / 16, (rows + 15) / 16);
    transpose<<<grid, block>>>(input, output, rows, cols);
}
