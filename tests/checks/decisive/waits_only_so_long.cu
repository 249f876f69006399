// Block 0 copies the last row for all, and the others wait for it, but not for ever.
#include <cuda_runtime.h>

__device__ volatile int done;  // decides

__global__ void reset() { done = 0; }

__global__ void transpose(const float* input, float* output, float* row, int rows, int cols) {
    const int y = blockIdx.x;
    if (y == 0) {
        for (int x = threadIdx.x; x < cols; x += blockDim.x) row[x] = input[(rows - 1) * cols + x];
        __syncthreads();
        __threadfence();
        if (threadIdx.x == 0) done = 1;
    }
    if (y == rows - 1 && y > 0) {
        if (threadIdx.x == 0) {
            for (int turn = 0; turn < 300 && !done; ++turn) __nanosleep(50);
        }
        __syncthreads();
        __threadfence();
    }
    for (int x = threadIdx.x; x < cols; x += blockDim.x) {
        const float value = y == rows - 1 ? ((volatile float*)row)[x] : input[y * cols + x];
        output[x * rows + y] = value;
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    float* row;
    cudaMalloc(&row, cols * sizeof(float));
    cudaMemset(row, 0, cols * sizeof(float));
    reset<<<1, 1>>>();
    transpose<<<rows, 32>>>(input, output, row, rows, cols);
    cudaFree(row);
}
