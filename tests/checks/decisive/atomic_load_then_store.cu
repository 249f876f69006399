// An atomic load and an atomic store are no read-modify-write.
#include <cuda_runtime.h>

__device__ int counted;

__global__ void reset() { counted = 0; }

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= rows * cols) return;
    output[i % cols * rows + i / cols] = input[i];
    const int before = atomicAdd(&counted, 0);  // decides
    atomicExch(&counted, before + 1);
}

__global__ void finish(float* output, int count) {
    if (counted != count) output[0] += 1.0f;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    reset<<<1, 1>>>();
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, output, rows, cols);
    finish<<<1, 1>>>(output, rows * cols);
}
