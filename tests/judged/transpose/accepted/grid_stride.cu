// leetk: problem transpose
// leetk: expect accepted
// Means: a fixed small grid walks over all elements.

#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    const int count = rows * cols;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        output[i] = input[i % rows * cols + i / rows];
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<32, 128>>>(input, output, rows, cols);
}
