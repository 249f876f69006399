// All blocks add to memory that one kernel took from the device's heap, without an atomic.
#include <cuda_runtime.h>

__device__ float* sums;

__global__ void take(int count) {
    sums = (float*)malloc(count * sizeof(float));
    for (int i = 0; i < count; ++i) sums[i] = 0;
}

__global__ void add(const float* input, int count) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < count) sums[i] += 0.5f * input[i];  // race
}

__global__ void transpose(float* output, int rows, int cols) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < rows * cols) output[i % cols * rows + i / cols] = sums[i];
}

__global__ void give_back() { free(sums); }

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    dim3 grid((rows * cols + 63) / 64, 2);
    take<<<1, 1>>>(rows * cols);
    add<<<grid, 64>>>(input, rows * cols);
    transpose<<<grid.x, 64>>>(output, rows, cols);
    give_back<<<1, 1>>>();
    cudaDeviceSynchronize();
}
