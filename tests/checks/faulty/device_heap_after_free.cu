// Memory from malloc in a kernel is read after it was freed.
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= rows * cols) return;
    float* own = (float*)malloc(4 * sizeof(float));
    own[i % 4] = input[i];
    free(own);
    output[i % cols * rows + i / cols] = own[i % 4];  // out_of_bounds_read
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
