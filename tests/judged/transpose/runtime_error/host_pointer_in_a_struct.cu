// leetk: problem transpose
// leetk: expect runtime_error
// Fault: the kernel's argument is a struct whose pointer is the host's.

#include <cuda_runtime.h>

#include <vector>

struct Matrix {
    const float* values;
    int rows, cols;
};

__global__ void transpose(Matrix from, float* output) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < from.rows * from.cols) {
        output[i % from.cols * from.rows + i / from.cols] = from.values[i];
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    std::vector<float> host(size_t(rows) * cols);
    cudaMemcpy(host.data(), input, host.size() * sizeof(float), cudaMemcpyDeviceToHost);
    transpose<<<(rows * cols + 255) / 256, 256>>>(Matrix{host.data(), rows, cols}, output);
    cudaDeviceSynchronize();
}
