// leetk: problem transpose
// leetk: expect output_not_written
// Fault: a block for each element, all of them in the grid's y, which ends at 65,535.
// Fault-numbers: 59
// expect-text: cudaErrorInvalid

#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    const int row = blockIdx.y / cols;
    const int col = blockIdx.y % cols;
    output[col * rows + row] = input[row * cols + col];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<dim3(1, rows * cols), 1>>>(input, output, rows, cols);
}
