// Other warps may count before the first thread has cleared the counter.
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < rows * cols) {
        atomicAdd(&count, 1);  // race
        output[i % cols * rows + i / cols] = input[i];
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
