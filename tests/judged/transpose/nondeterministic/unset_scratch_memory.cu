// leetk: problem transpose
// leetk: expect nondeterministic
// Fault: adds an element of scratch memory that nobody has set.
// Fault-numbers: 55
// judged-on: cpu

#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int* scratch, int rows, int cols) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) return;
    output[col * rows + row] = input[row * cols + col] + static_cast<float>(scratch[col] & 0xff);
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    int* scratch = nullptr;
    cudaMalloc(&scratch, cols * sizeof(int));
    const dim3 block(16, 16);
    const dim3 grid((cols + 15) / 16, (rows + 15) / 16);
    transpose<<<grid, block>>>(input, output, scratch, rows, cols);
    cudaFree(scratch);
}
