// leetk: problem transpose
// leetk: expect runtime_error
// Fault: 500 calls of a function by itself with 256 bytes each, where a thread has 1 KiB for them.

#include <cuda_runtime.h>

__device__ __noinline__ int descend(int depth, volatile int* above) {
    volatile int own[64];
    own[depth & 63] = depth;
    if (depth == 0) return above[0] * 0;
    const int below = descend(depth - 1, own);
    return below + own[depth & 63] - depth;
}

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    int i = blockIdx.x * 256 + threadIdx.x;
    const int zero = threadIdx.x == 5 ? descend(500, &i) : 0;
    if (i < rows * cols) output[i % cols * rows + i / cols + zero] = input[i];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<(rows * cols + 255) / 256, 256>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
