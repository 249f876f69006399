// Lanes exchange values through shared memory without __syncwarp().
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    __shared__ float swapped[2][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < rows * cols) swapped[warp][31 - lane] = input[i];
    int j = blockIdx.x * 64 + warp * 32 + 31 - lane;
    if (j < rows * cols) output[j % cols * rows + j / cols] = swapped[warp][lane];  // race uninitialised_read
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
