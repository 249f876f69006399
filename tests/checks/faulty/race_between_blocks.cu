// A block reads what another one writes in the same launch.
#include <cuda_runtime.h>

__device__ int ready[1 << 16];

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= rows * cols) return;
    ready[i] = i;
    float none = ready[rows * cols - 1 - i] < 0 ? 1.0f : 0.0f;  // race
    output[i % cols * rows + i / cols] = input[i] + none;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
