// leetk: problem transpose
// leetk: expect input_modified
// Fault: negates the input in place and the output once more.
// expect-text: input

#include <cuda_runtime.h>

__global__ void negate(float* values, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) values[i] = -values[i];
}

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows || col >= cols) return;
    output[col * rows + row] = -input[row * cols + col];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    negate<<<(rows * cols + 255) / 256, 256>>>(const_cast<float*>(input), rows * cols);
    const dim3 block(16, 16);
    const dim3 grid((cols + 15) / 16, (rows + 15) / 16);
    transpose<<<grid, block>>>(input, output, rows, cols);
}
