// The first block tells the others a number, and says so before the number is there.
#include <cuda_runtime.h>

__device__ volatile int told, number;  // decides

__global__ void reset() { told = number = 0; }

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    __shared__ int shift;
    const int y = blockIdx.x;
    if (threadIdx.x == 0) {
        if (y == 0) {
            told = 1;
            __threadfence();
            number = 5;
        }
        while (!told) __nanosleep(20);
        __threadfence();
        shift = number;
    }
    __syncthreads();
    for (int x = threadIdx.x; x < cols; x += blockDim.x) {
        output[x * rows + y] = shift == 5 ? input[y * cols + x] : 0.0f;
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    reset<<<1, 1>>>();
    transpose<<<rows, 32>>>(input, output, rows, cols);
}
