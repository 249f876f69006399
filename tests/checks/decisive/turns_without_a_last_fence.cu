// Blocks add to a sum in turn. Each has a fence ahead of its addition, and none between that and the
// next block's turn.
#include <cuda_runtime.h>

__device__ int turn, sum;

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < rows * cols) output[i % cols * rows + i / cols] = input[i];
    if (threadIdx.x != 0) return;
    while (atomicAdd(&turn, 0) != blockIdx.x) {
    }
    __threadfence();
    sum += 1;  // decides
    atomicAdd(&turn, 1);
}

__global__ void finish(float* output, int blocks) {
    if (sum != blocks) output[0] = 0.0f;
    turn = sum = 0;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const int blocks = (rows * cols + 63) / 64;
    transpose<<<blocks, 64>>>(input, output, rows, cols);
    finish<<<1, 1>>>(output, blocks);
}
