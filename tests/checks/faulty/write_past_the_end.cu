// <= for <.
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i <= rows * cols) {
        float value = i < rows * cols ? input[i] : 0.0f;
        output[i < rows * cols ? i % cols * rows + i / cols : i] = value;  // out_of_bounds_write
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
