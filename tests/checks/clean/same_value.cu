// Many threads write the same value: it does not matter which one does.
#include <cuda_runtime.h>

__device__ int seen;

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    __shared__ int any;
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < rows * cols) {
        any = 1;
        seen = 1;
    }
    __syncthreads();
    if (i < rows * cols && any) output[i % cols * rows + i / cols] = input[i];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
