// An atomic beyond an allocation.
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int* counts, int rows, int cols) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= rows * cols) return;
    atomicAdd(&counts[blockIdx.x + 1], 1);  // out_of_bounds_write
    output[i % cols * rows + i / cols] = input[i];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    int* counts;
    int blocks = (rows * cols + 63) / 64;
    cudaMalloc(&counts, blocks * sizeof(int));
    cudaMemset(counts, 0, blocks * sizeof(int));
    transpose<<<blocks, 64>>>(input, output, counts, rows, cols);
    cudaDeviceSynchronize();
    cudaFree(counts);
    cudaDeviceSynchronize();
}
