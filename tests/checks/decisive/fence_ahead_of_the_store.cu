// The last block reads what all have left, but each thread's fence comes before its store.
#include <cuda_runtime.h>

__device__ unsigned done;

__global__ void transpose(const float* input, float* left, float* output, int rows, int cols) {
    __shared__ bool last;
    const int count = rows * cols, i = blockIdx.x * 64 + threadIdx.x;
    __threadfence();
    if (i < count) left[i] = input[i];
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(&done, 1) == gridDim.x - 1;
    __syncthreads();
    if (!last) return;
    for (int j = threadIdx.x; j < count; j += 64) {
        output[j % cols * rows + j / cols] = left[j];  // decides
    }
    if (threadIdx.x == 0) done = 0;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    float* left;
    cudaMalloc(&left, rows * cols * sizeof(float));
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, left, output, rows, cols);
    cudaFree(left);
}
