// Each warp leaves word for its block, and the block for all others: a fence of either scope suffices
// within the block, and one thread's __threadfence() counts for what it has heard of.
#include <cuda_runtime.h>

__device__ unsigned done;

__global__ void transpose(const float* input, float* left, float* output, int rows, int cols) {
    __shared__ unsigned warps;
    __shared__ bool last;
    int count = rows * cols;
    int i = blockIdx.x * 64 + threadIdx.x;
    if (threadIdx.x == 0) warps = 0;
    __syncthreads();
    if (i < count) left[i] = input[i];
    __threadfence_block();
    __syncwarp();
    if (threadIdx.x % 32 == 0) atomicAdd(&warps, 1);
    if (threadIdx.x == 0) {
        while (atomicAdd(&warps, 0) < 2) {
        }
        __threadfence();
        last = atomicAdd(&done, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    for (int j = threadIdx.x; j < count; j += 64) {
        output[j % cols * rows + j / cols] = left[j];
    }
    if (threadIdx.x == 0) done = 0;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    float* left;
    cudaMalloc(&left, rows * cols * sizeof(float));
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, left, output, rows, cols);
    cudaFree(left);
}
