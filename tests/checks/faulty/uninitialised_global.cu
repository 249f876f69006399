// Half of a scratch buffer is never written.
#include <cuda_runtime.h>

__global__ void fill(const float* input, float* scratch, int count) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < count && i % 2 == 0) scratch[i] = input[i];
}

__global__ void transpose(const float* scratch, float* output, int rows, int cols) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < rows * cols) output[i % cols * rows + i / cols] = scratch[i];  // uninitialised_read
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    float* scratch;
    cudaMalloc(&scratch, rows * cols * sizeof(float));
    fill<<<(rows * cols + 63) / 64, 64>>>(input, scratch, rows * cols);
    transpose<<<(rows * cols + 63) / 64, 64>>>(scratch, output, rows, cols);
    cudaFree(scratch);
    cudaDeviceSynchronize();
}
