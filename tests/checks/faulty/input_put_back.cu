// Turns the signs of the input, and turns them back when the output is made.
#include <cuda_runtime.h>

__global__ void negate(float* values, int count) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < count) values[i] = -values[i];  // input_written
}

__global__ void transpose(const float* negated, float* output, int rows, int cols) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < rows * cols) output[i % cols * rows + i / cols] = -negated[i];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const int blocks = (rows * cols + 63) / 64;
    float* values = const_cast<float*>(input);
    negate<<<blocks, 64>>>(values, rows * cols);
    transpose<<<blocks, 64>>>(values, output, rows, cols);
    negate<<<blocks, 64>>>(values, rows * cols);
}
