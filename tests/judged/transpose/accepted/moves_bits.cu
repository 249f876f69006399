// leetk: problem transpose
// leetk: expect accepted
// Means: elements are moved as integers: every bit stays, whatever the number is.

#include <cuda_runtime.h>

__global__ void transpose(const unsigned* input, unsigned* output, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) output[i % cols * rows + i / cols] = input[i];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<(rows * cols + 255) / 256, 256>>>(reinterpret_cast<const unsigned*>(input),
                                                  reinterpret_cast<unsigned*>(output), rows, cols);
    cudaDeviceSynchronize();
}
