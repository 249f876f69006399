// Threads of a block count by atomics whose scope is the block; a thread that has got the last number
// tells the sum.
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    __shared__ int count;
    __shared__ float kept[64];
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    int i = blockIdx.x * 64 + threadIdx.x;
    kept[threadIdx.x] = i < rows * cols ? input[i] : 0.0f;
    __threadfence_block();
    if (atomicAdd_block(&count, 1) == 63) {
        for (int j = 0; j < 64; ++j) {
            int k = blockIdx.x * 64 + j;
            if (k < rows * cols) output[k % cols * rows + k / cols] = kept[j];
        }
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
