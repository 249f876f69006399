// __ldg of what an earlier kernel wrote, and of what the thread itself then overwrites and loads
// plainly; a store into the input that changes nothing.
#include <cuda_runtime.h>

__global__ void copy(const float* input, float* values, int count) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < count) values[i] = 2 * __ldg(&input[i]);
}

__global__ void transpose(float* input, float* values, float* output, int rows, int cols) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= rows * cols) return;
    float twice = __ldg(&values[i]);
    values[i] = 0.5f * twice;
    output[i % cols * rows + i / cols] = values[i];
    input[i] = 0.5f * twice;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    float* values;
    const int blocks = (rows * cols + 63) / 64;
    cudaMalloc(&values, rows * cols * sizeof(float));
    copy<<<blocks, 64>>>(input, values, rows * cols);
    transpose<<<blocks, 64>>>(const_cast<float*>(input), values, output, rows, cols);
    cudaFree(values);
}
