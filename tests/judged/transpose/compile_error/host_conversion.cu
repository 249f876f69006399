// leetk: problem transpose
// leetk: expect compile_error
// expect-text: calling __host__ function Place::operator __global__ transpose
// Means: the members of a class lack __device__, and nothing in the kernel shows the call by name.

#include <cuda_runtime.h>

struct Place {
    int row, width, column;
    operator int() const { return row * width + column; }
};

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < cols && y < rows) output[Place{x, rows, y}] = input[Place{y, cols, x}];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    dim3 block(16, 16), grid((cols + 15) / 16, (rows + 15) / 16);
    transpose<<<grid, block>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
