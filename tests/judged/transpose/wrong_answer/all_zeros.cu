// leetk: problem transpose
// leetk: expect wrong_answer
// Fault-numbers: 48
// Fault: the output is cleared and nothing more.
// expect-text: zero

#include <cuda_runtime.h>

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    cudaMemset(output, 0, sizeof(float) * rows * cols);
    (void)input;
}
