// leetk: problem transpose
// leetk: expect accepted
// Means: more of the device's heap than its default of 8 MB, after cudaDeviceSetLimit; freed memory
// is there again for the next kernel.

#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    __shared__ float* many;
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (threadIdx.x == 0) {
        many = (float*)malloc(blockIdx.x ? 256 * sizeof(float) : 10000000);
    }
    __syncthreads();
    if (!many) return;
    many[threadIdx.x] = i < rows * cols ? input[i] : 0.0f;
    __syncthreads();
    const int other = i ^ 1;
    if (other < rows * cols) output[other % cols * rows + other / cols] = many[threadIdx.x ^ 1];
    __syncthreads();
    if (threadIdx.x == 0) free(many);
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    // Only before the first kernel that uses the heap.
    static cudaError_t raised = cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20);
    if (raised != cudaSuccess) return;
    transpose<<<(rows * cols + 255) / 256, 256>>>(input, output, rows, cols);
}
