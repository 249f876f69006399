// What a function says to the host's sanitizers is not said to the checks.
#include <cuda_runtime.h>

#undef no_sanitize
#define no_sanitize_thread no_sanitize("thread")
#define PLAIN __attribute__((no_sanitize("thread"), no_sanitize("undefined")))

__device__ float total, sum;

PLAIN __global__ void transpose(const float* input, float* output, int rows, int cols) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= rows * cols) return;
    total += input[i];  // race
    output[i % cols * rows + i / cols] = input[i];
}

__attribute__((no_sanitize_thread)) __global__ void summed(const float* input, int count) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < count) sum += input[i];  // race
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, output, rows, cols);
    summed<<<(rows * cols + 63) / 64, 64>>>(input, rows * cols);
    cudaDeviceSynchronize();
}
