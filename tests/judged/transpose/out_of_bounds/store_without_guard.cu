// leetk: problem transpose
// leetk: expect out_of_bounds
// Fault: the guard stands around the load but not around the store: up to 255 elements past the end
//        are written.
// expect-text: output past

#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = 0.0f;
    if (i < rows * cols) value = input[i % rows * cols + i / rows];
    output[i] = value;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<(rows * cols + 255) / 256, 256>>>(input, output, rows, cols);
}
