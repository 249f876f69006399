// A block reads from scratch memory what a lower one has written in the same launch.
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* scratch, float* output, int rows, int cols) {
    const int i = blockIdx.x * 64 + threadIdx.x, count = rows * cols;
    if (i < count) scratch[i] = input[i];
    if (i >= 64 && i < count) output[(i - 64) % cols * rows + (i - 64) / cols] = scratch[i - 64];  // decides
    if (i < count && i + 64 >= count) output[i % cols * rows + i / cols] = input[i];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    float* scratch;
    cudaMalloc(&scratch, rows * cols * sizeof(float));
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, scratch, output, rows, cols);
    cudaFree(scratch);
}
