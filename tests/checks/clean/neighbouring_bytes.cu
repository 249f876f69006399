// Neighbouring threads write neighbouring bytes and halves of one word.
#include <cuda_runtime.h>

#include <cuda_fp16.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    __shared__ unsigned char low[64];
    __shared__ __half zero[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    low[threadIdx.x] = (unsigned char)threadIdx.x;
    zero[threadIdx.x] = __float2half(0.0f);
    __syncthreads();
    int other = 63 - low[63 - threadIdx.x];
    if (i < rows * cols) {
        float none = __half2float(zero[63 - threadIdx.x]) + (other == threadIdx.x ? 0.0f : 1.0f);
        output[i % cols * rows + i / cols] = input[i] + none;
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
