// Two blocks add to each element under one lock, asked plainly before it is taken.
#include <cuda_runtime.h>

__device__ int locks[64];

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= rows * cols) return;
    float half = 0.5f * input[i];
    float* place = output + i % cols * rows + i / cols;
    int* lock = locks + i % 64;
    for (bool done = false; !done;) {
        if (*(volatile int*)lock == 0 && atomicExch(lock, 1) == 0) {
            __threadfence();
            *place += half;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    cudaMemset(output, 0, rows * cols * sizeof(float));
    transpose<<<dim3((rows * cols + 63) / 64, 2), 64>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
