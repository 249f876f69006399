// Blocks leave their sums; a fence and an atomic tell the last one that all are there.
#include <cuda_runtime.h>

__device__ float sums[1 << 12];
__device__ unsigned done;

__global__ void transpose(const float* input, float* output, float* total, int rows, int cols) {
    __shared__ bool last;
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < rows * cols) output[i % cols * rows + i / cols] = input[i];
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = input[blockIdx.x * 64];
        __threadfence();
        last = atomicAdd(&done, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float sum = 0;
        for (int b = 0; b < gridDim.x; ++b) sum += sums[b];
        *total = sum;
        done = 0;
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    float* total;
    cudaMalloc(&total, sizeof(float));
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, output, total, rows, cols);
    cudaDeviceSynchronize();
    cudaFree(total);
    cudaDeviceSynchronize();
}
