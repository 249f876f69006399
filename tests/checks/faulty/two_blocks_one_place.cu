// Blocks write different values to one place.
#include <cuda_runtime.h>

__device__ int last_block;

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (threadIdx.x == 0) last_block = blockIdx.x;  // race
    if (i < rows * cols) output[i % cols * rows + i / cols] = input[i];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
