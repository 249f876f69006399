// leetk: problem transpose
// leetk: expect accepted
// Means: reads one element past the end of the input and doesn't use it: accepted, with a finding on the cpu.
// Fault-numbers: 53
// expect-finding-on-cpu: out_of_bounds_read

#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) return;
    const float here = input[row * cols + col];
    const float next = input[row * cols + col + 1];
    output[col * rows + row] = here == 12345.5f ? next : here;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const dim3 block(16, 16);
    const dim3 grid((cols + 15) / 16, (rows + 15) / 16);
    transpose<<<grid, block>>>(input, output, rows, cols);
}
