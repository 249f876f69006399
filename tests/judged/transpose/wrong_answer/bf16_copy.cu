// leetk: problem transpose
// leetk: expect wrong_answer
// Fault-numbers: 22
// Fault: passes each element through BF16's precision; a transpose is exact.

#include <cuda_runtime.h>

// Rounds to 7 bits of mantissa, to nearest even, with no half type needed.
__device__ float rounded(float x) {
    unsigned bits = __float_as_uint(x);
    bits += 0x7fffu + ((bits >> 16) & 1u);
    return __uint_as_float(bits & 0xffff0000u);
}

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows || col >= cols) return;
    output[col * rows + row] = rounded(input[row * cols + col]);
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const dim3 block(16, 16);
    const dim3 grid((cols + 15) / 16, (rows + 15) / 16);
    transpose<<<grid, block>>>(input, output, rows, cols);
}
