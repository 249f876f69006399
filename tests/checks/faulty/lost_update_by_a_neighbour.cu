// Two blocks add to each element: one lane reads it, and its neighbour writes the sum.
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    int i = blockIdx.x * 64 + threadIdx.x, j = i ^ 1, count = rows * cols;
    float half = i < count ? 0.5f * input[i] : 0.0f;
    float now = i < count ? output[i % cols * rows + i / cols] : 0.0f;  // race
    float sum = __shfl_xor_sync(0xffffffff, now + half, 1);
    if (j < count) output[j % cols * rows + j / cols] = sum;  // race
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    cudaMemset(output, 0, rows * cols * sizeof(float));
    transpose<<<dim3((rows * cols + 63) / 64, 2), 64>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
