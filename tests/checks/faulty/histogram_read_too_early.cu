// Atomics are complete only behind a barrier.
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    __shared__ int bins[4];
    if (threadIdx.x < 4) bins[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < rows * cols) atomicAdd(&bins[threadIdx.x % 4], 1);
    if (i < rows * cols) {
        float none = bins[threadIdx.x % 4] < 0 ? 1.0f : 0.0f;  // race
        output[i % cols * rows + i / cols] = input[i] + none;
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
