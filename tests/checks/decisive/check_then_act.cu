// Two threads may both find the flag unset, and both add.
#include <cuda_runtime.h>

__device__ volatile int done;
__device__ float extra;

__global__ void reset() {
    done = 0;
    extra = 0.0f;
}

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < rows * cols) output[i % cols * rows + i / cols] = input[i];
    if (!done) {  // decides
        done = 1;
        __threadfence();
        atomicAdd(&extra, 1.0f);
    }
}

__global__ void finish(float* output) {
    if (extra != 1.0f) output[0] += extra;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    reset<<<1, 1>>>();
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, output, rows, cols);
    finish<<<1, 1>>>(output);
}
