// leetk: problem transpose
// leetk: expect accepted
// Means: objects with virtual functions, each used on the side that built it; one of the device's
// goes to the host and back, and of one of the host's a kernel reads the data alone.

#include <cuda_runtime.h>

#include <new>

struct Layout {
    __host__ __device__ Layout(int rows, int cols) : rows(rows), cols(cols) {}
    __host__ __device__ virtual int place(int i) const = 0;
    int rows, cols;
};
struct Transposed : Layout {
    __host__ __device__ Transposed(int rows, int cols) : Layout(rows, cols) {}
    __host__ __device__ int place(int i) const override { return i % cols * rows + i / cols; }
};

__global__ void build(Transposed* layout, int rows, int cols) {
    new (layout) Transposed(rows, cols);
}

__global__ void transpose(const float* input, float* output, const Layout* layout,
                          const Transposed* data) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < data->rows * data->cols) output[layout->place(i)] = input[i];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    Transposed here(rows, cols), back(0, 0);
    Transposed *layout, *data;
    cudaMalloc(&layout, sizeof here);
    cudaMalloc(&data, sizeof here);
    build<<<1, 1>>>(layout, rows, cols);
    alignas(Transposed) char kept[sizeof here];
    cudaMemcpy(kept, (void*)layout, sizeof kept, cudaMemcpyDeviceToHost);
    cudaMemset((void*)layout, 0, sizeof here);
    cudaMemcpy((void*)layout, kept, sizeof kept, cudaMemcpyHostToDevice);
    cudaMemcpy((void*)data, (void*)&here, sizeof here, cudaMemcpyHostToDevice);
    cudaMemcpy((void*)&back, (void*)data, sizeof back, cudaMemcpyDeviceToHost);
    const Layout* host = &back;
    if (host->place(1) != here.place(1)) return;
    transpose<<<(rows * cols + 255) / 256, 256>>>(input, output, layout, data);
    cudaDeviceSynchronize();
    cudaFree(layout);
    cudaFree(data);
}
