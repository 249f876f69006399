// leetk: problem transpose
// leetk: expect wrong_answer
// Fault: stores 0 where an element is NaN, infinite or very small.
// expect-text: special values

#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * cols) return;
    const float x = input[i];
    const bool usual = fabsf(x) > 1e-30f && !isinf(x);  // NaN is greater than nothing
    output[i % cols * rows + i / cols] = usual ? x : 0.0f;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<(rows * cols + 255) / 256, 256>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
