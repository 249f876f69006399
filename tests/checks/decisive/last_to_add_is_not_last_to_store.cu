// The count of done blocks is what the last one to come stores; but others may store after it.
#include <cuda_runtime.h>

__device__ int count, done;

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    const int i = blockIdx.x * 32 + threadIdx.x;
    if (i < rows * cols) output[i % cols * rows + i / cols] = input[i];
    if (threadIdx.x == 0) done = atomicAdd(&count, 1) + 1;  // decides
}

__global__ void finish(float* output, int blocks) {
    if (done != blocks) output[0] = 0;
    count = 0;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const int blocks = (rows * cols + 31) / 32;
    transpose<<<blocks, 32>>>(input, output, rows, cols);
    finish<<<1, 1>>>(output, blocks);
}
