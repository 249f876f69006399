// A local array of four with a fifth element.
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= rows * cols) return;
    float part[4] = {};
    float sum = 0;
    for (int k = 0; k < 4; ++k) part[k] = k ? 0.0f : input[i];
    for (int k = 0; k <= 4; ++k) sum += k < 4 ? part[k] : (part[k] == 12345.678f ? 1.0f : 0.0f);  // index_out_of_range
    output[i % cols * rows + i / cols] = sum;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
