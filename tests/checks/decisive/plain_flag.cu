// A block waits for another one's flag, which it reads plainly between stores: where it finds the old
// value each time, it does not end.
#include <cuda_runtime.h>

__device__ int ready;
__device__ int turns;

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    const int count = rows * cols;
    if (blockIdx.x == 0) {
        for (int i = threadIdx.x; i < count; i += 64) output[i % cols * rows + i / cols] = input[i];
        __syncthreads();
        __threadfence();
        if (threadIdx.x == 0) ready = 1;
    } else if (threadIdx.x == 0) {
        while (ready == 0) atomicAdd(&turns, 1);  // decides
        ready = 0;
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<2, 64>>>(input, output, rows, cols);
}
