// leetk: problem transpose
// leetk: expect output_not_written
// Fault-numbers: 15
// Fault: the starter as it is handed out: a launch of an empty kernel.

#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    // your code
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const dim3 block(16, 16);
    const dim3 grid((cols + 15) / 16, (rows + 15) / 16);
    transpose<<<grid, block>>>(input, output, rows, cols);
}
