// Threads of a block add to one sum; fences make nothing atomic.
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    __shared__ float sum;
    if (threadIdx.x == 0) sum = 0.0f;
    __syncthreads();
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < rows * cols) {
        __threadfence_block();
        sum += 1.0f;  // race
        __threadfence_block();
        output[i % cols * rows + i / cols] = input[i];
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
