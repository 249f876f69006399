// Each thread writes one past its block of the device's heap.
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= rows * cols) return;
    float* own = (float*)malloc(4 * sizeof(float));
    for (int k = 0; k <= 4; ++k) {
        own[k] = input[i];  // out_of_bounds_write
    }
    output[i % cols * rows + i / cols] = own[i % 4];
    free(own);
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
