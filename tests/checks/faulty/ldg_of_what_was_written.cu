// A block loads what it has just written, past a barrier, as if it were read-only.
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* copy, float* output, int rows, int cols) {
    const int count = rows * cols, i = blockIdx.x * 64 + threadIdx.x;
    const int turned = blockIdx.x * 64 + 63 - threadIdx.x;
    if (turned < count) copy[turned] = __ldg(&input[turned]);
    __syncthreads();
    if (i < count) output[i % cols * rows + i / cols] = __ldg(&copy[i]);  // read_only_load
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    float* copy;
    cudaMalloc(&copy, rows * cols * sizeof(float));
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, copy, output, rows, cols);
    cudaFree(copy);
}
