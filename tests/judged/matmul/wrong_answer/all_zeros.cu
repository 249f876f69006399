// leetk: problem matmul
// leetk: expect wrong_answer
// Fault-numbers: 48
// Fault: C is cleared and nothing more.
// Hint:  every element is zero
// expect-text: zero

#include <cuda_runtime.h>

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    cudaMemset(C, 0, sizeof(float) * M * K);
    (void)A, (void)B, (void)N;
}
