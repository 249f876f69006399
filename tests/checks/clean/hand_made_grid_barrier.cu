// All blocks meet at a counter and a generation, then read what others wrote.
#include <cuda_runtime.h>

__device__ volatile unsigned generation;
__device__ unsigned arrived;

__device__ void meet() {
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned now = generation;
        __threadfence();
        if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
            arrived = 0;
            __threadfence();
            generation = now + 1;
        } else {
            while (generation == now) {
            }
        }
        __threadfence();
    }
    __syncthreads();
}

__global__ void transpose(const float* input, float* output, float* half, int rows, int cols) {
    int count = rows * cols, step = gridDim.x * 64;
    int first = blockIdx.x * 64 + threadIdx.x;
    for (int i = first; i < count; i += step) half[i] = 0.5f * input[i];
    meet();
    for (int i = first; i < count; i += step) half[count - 1 - i] *= 2.0f;
    meet();
    for (int i = first; i < count; i += step) output[i % cols * rows + i / cols] = half[i];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    float* half;
    cudaMalloc(&half, rows * cols * sizeof(float));
    transpose<<<4, 64>>>(input, output, half, rows, cols);
    cudaDeviceSynchronize();
    cudaFree(half);
}
