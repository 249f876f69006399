// The last block reads what all have stored, but no barrier brings a block's stores before its one
// thread's atomic.
#include <cuda_runtime.h>

__device__ unsigned done;

__global__ void transpose(const float* input, float* half, float* output, int rows, int cols) {
    __shared__ bool last;
    const int count = rows * cols, i = blockIdx.x * 64 + threadIdx.x;
    if (i < count) half[i] = input[i];
    __threadfence();
    if (threadIdx.x == 0) last = atomicAdd(&done, 1) == gridDim.x - 1;
    __syncthreads();
    if (!last) return;
    for (int j = threadIdx.x; j < count; j += 64) {
        output[j % cols * rows + j / cols] = half[j];  // decides
    }
    if (threadIdx.x == 0) done = 0;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    float* half;
    cudaMalloc(&half, rows * cols * sizeof(float));
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, half, output, rows, cols);
    cudaFree(half);
}
