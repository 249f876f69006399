// Two blocks add to each element, one after the other: a turn is passed on through memory.
#include <cuda_runtime.h>

__device__ volatile int turns[1 << 12];

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (threadIdx.x == 0) {
        while (turns[blockIdx.x] != blockIdx.y) {
        }
        __threadfence();
    }
    __syncthreads();
    if (i < rows * cols) output[i % cols * rows + i / cols] += 0.5f * input[i];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) turns[blockIdx.x] = (blockIdx.y + 1) % 2;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    cudaMemset(output, 0, rows * cols * sizeof(float));
    transpose<<<dim3((rows * cols + 63) / 64, 2), 64>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
