// leetk: problem transpose
// leetk: expect accepted
// Means: 500 calls of a function by itself, with a stack for them; a large local
// array beside a few.

#include <cuda_runtime.h>

__device__ __noinline__ int descend(int depth, volatile int* above) {
    volatile int own[64];
    own[depth & 63] = depth;
    if (depth == 0) return above[0] * 0;
    const int below = descend(depth - 1, own);
    return below + own[depth & 63] - depth;
}

__device__ __noinline__ int few(int depth, volatile int* above) {
    if (depth == 0) return above[0] * 0;
    volatile int own = depth;
    return few(depth - 1, &own) + own - depth;
}

__device__ __noinline__ int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__global__ void small_frames(float* output) {
    if (fibonacci(20) != 6765) output[0] = 1.0f;
}

__global__ void many_locals(float* output, int index) {
    volatile int own[10000];
    own[index] = 0;
    volatile int other = 3;
    __syncthreads();
    if (few(12, &other) + own[index]) output[0] = 1.0f;
}

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    int i = blockIdx.x * 256 + threadIdx.x;
    const int zero = threadIdx.x == 5 ? descend(500, &i) : 0;
    if (i < rows * cols) output[i % cols * rows + i / cols + zero] = input[i];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    small_frames<<<1, 2>>>(output);
    size_t before;
    cudaDeviceGetLimit(&before, cudaLimitStackSize);
    cudaDeviceSetLimit(cudaLimitStackSize, 60000);
    many_locals<<<2, 64>>>(output, rows % 7);
    cudaDeviceSetLimit(cudaLimitStackSize, 200000);
    transpose<<<(rows * cols + 255) / 256, 256>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
    cudaDeviceSetLimit(cudaLimitStackSize, before);
}
