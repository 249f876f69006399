// Two blocks add to each element under a lock, but what they store need not arrive before the lock is open.
#include <cuda_runtime.h>

__device__ int locks[64];

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= rows * cols) return;
    float half = 0.5f * input[i];
    float* place = output + i % cols * rows + i / cols;
    while (atomicCAS(&locks[i % 64], 0, 1) != 0) {
    }
    *place += half;  // race
    atomicExch(&locks[i % 64], 0);
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    cudaMemset(output, 0, rows * cols * sizeof(float));
    transpose<<<dim3((rows * cols + 63) / 64, 2), 64>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
