// leetk: problem transpose
// leetk: expect runtime_error
// Fault: a table on the device holds a pointer to host memory, which the kernel follows.

#include <cuda_runtime.h>

#include <cstdlib>

__global__ void transpose(float** tables, float* output, int rows, int cols) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < rows * cols) output[i % cols * rows + i / cols] = tables[0][i];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const size_t bytes = size_t(rows) * cols * sizeof(float);
    float* host = (float*)malloc(bytes);
    cudaMemcpy(host, input, bytes, cudaMemcpyDeviceToHost);
    float** tables;
    cudaMalloc(&tables, sizeof(float*));
    cudaMemcpy(tables, &host, sizeof(float*), cudaMemcpyHostToDevice);
    transpose<<<(rows * cols + 255) / 256, 256>>>(tables, output, rows, cols);
    cudaDeviceSynchronize();
    cudaFree(tables);
    free(host);
}
