// leetk: problem transpose
// leetk: expect runtime_error
// Fault: an object with a virtual function is built on the host and copied to the device: its table
// of functions is the host's.

#include <cuda_runtime.h>

struct Layout {
    __host__ __device__ virtual int place(int i, int rows, int cols) const = 0;
};
struct Transposed : Layout {
    __host__ __device__ int place(int i, int rows, int cols) const override {
        return i % cols * rows + i / cols;
    }
};

__global__ void transpose(const float* input, float* output, int rows, int cols,
                          const Layout* layout) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < rows * cols) output[layout->place(i, rows, cols)] = input[i];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    Transposed here;
    Layout* layout;
    cudaMalloc(&layout, sizeof here);
    cudaMemcpy((void*)layout, (void*)&here, sizeof here, cudaMemcpyHostToDevice);
    transpose<<<(rows * cols + 255) / 256, 256>>>(input, output, rows, cols, layout);
    cudaDeviceSynchronize();
    cudaFree(layout);
}
