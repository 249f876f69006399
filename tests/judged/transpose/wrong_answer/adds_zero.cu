// leetk: problem transpose
// leetk: expect wrong_answer
// Fault: adds 0 to each element, which makes 0.0 of -0.0.
// expect-text: only special values are wrong (-0.0)

#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * cols) return;
    output[i % cols * rows + i / cols] = input[i] + 0.0f;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<(rows * cols + 255) / 256, 256>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
