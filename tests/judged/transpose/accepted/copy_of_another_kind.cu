// leetk: problem transpose
// leetk: expect accepted
// Means: a copy within device memory that is called one from the host: an H200 makes it, CUDA leaves it undefined.
// expect-finding-on-cpu: copy_kind

#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < rows * cols) output[i % cols * rows + i / cols] = input[i];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const size_t bytes = sizeof(float) * rows * cols;
    float* copy;
    cudaMalloc(&copy, bytes);
    cudaMemcpy(copy, input, bytes, cudaMemcpyHostToDevice);
    transpose<<<(rows * cols + 63) / 64, 64>>>(copy, output, rows, cols);
    cudaFree(copy);
}
