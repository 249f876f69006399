// leetk: problem transpose
// leetk: expect runtime_error
// Fault: rows are read as float4 whatever their width is: misaligned where it is no multiple of 4.
// Fault-numbers: 54
// expect-text: misaligned

#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (row >= rows || col >= cols) return;
    if (col + 3 < cols) {
        const float4 four = *reinterpret_cast<const float4*>(&input[row * cols + col]);
        output[col * rows + row] = four.x;
        output[(col + 1) * rows + row] = four.y;
        output[(col + 2) * rows + row] = four.z;
        output[(col + 3) * rows + row] = four.w;
    } else {
        for (int c = col; c < cols; ++c) output[c * rows + row] = input[row * cols + c];
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const dim3 block(16, 16);
    const dim3 grid((cols + 63) / 64, (rows + 15) / 16);
    transpose<<<grid, block>>>(input, output, rows, cols);
}
