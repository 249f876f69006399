// Two blocks add to each place of the host's own memory, which was registered for the device.
#include <cuda_runtime.h>

#include <cstdlib>

__global__ void add(const float* input, float* sums, int count) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < count) sums[i] += 0.5f * input[i];  // race
}

__global__ void transpose(const float* sums, float* output, int rows, int cols) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < rows * cols) output[i % cols * rows + i / cols] = sums[i];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    size_t bytes = rows * cols * sizeof(float);
    float* host = (float*)calloc(1, bytes);
    cudaHostRegister(host, bytes, cudaHostRegisterMapped);
    float* sums;
    cudaHostGetDevicePointer((void**)&sums, host, 0);
    dim3 grid((rows * cols + 63) / 64, 2);
    add<<<grid, 64>>>(input, sums, rows * cols);
    transpose<<<grid.x, 64>>>(sums, output, rows, cols);
    cudaDeviceSynchronize();
    cudaHostUnregister(host);
    free(host);
}
