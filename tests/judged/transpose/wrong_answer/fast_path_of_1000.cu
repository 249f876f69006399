// leetk: problem transpose
// leetk: expect wrong_answer
// Fault: a path of its own for rows of 1000 elements, which copies them.

#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * cols) return;
    output[cols == 1000 ? i : i % cols * rows + i / cols] = input[i];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<(rows * cols + 255) / 256, 256>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
