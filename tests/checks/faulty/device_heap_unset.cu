// Memory from malloc in a kernel is taken for zeroed.
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= rows * cols) return;
    float* own = (float*)malloc(4 * sizeof(float));
    own[1] += input[i];  // uninitialised_read
    output[i % cols * rows + i / cols] = own[1];
    free(own);
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
