// The last thread reads one element too many.
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= rows * cols) return;
    float next = input[i + 1];  // out_of_bounds_read
    output[i % cols * rows + i / cols] = input[i] + (next == 12345.678f ? 1.0f : 0.0f);
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
