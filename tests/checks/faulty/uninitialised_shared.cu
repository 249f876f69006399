// The tail of the tile is read though nobody wrote it.
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    __shared__ float row[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    bool inside = i < rows * cols;
    if (inside && threadIdx.x < 63) row[threadIdx.x] = input[i];
    __syncthreads();
    if (inside) output[i % cols * rows + i / cols] = row[threadIdx.x];  // uninitialised_read
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
