// leetk: problem matmul
// leetk: expect output_not_written
// Fault-numbers: 14, 15
// Fault: solve returns at once.

#include <cuda_runtime.h>

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    (void)A, (void)B, (void)C, (void)M, (void)N, (void)K;
}
