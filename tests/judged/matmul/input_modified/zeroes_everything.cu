// leetk: problem matmul
// leetk: expect input_modified
// Fault-numbers: 16
// Fault: clears the inputs and the output, hoping that the reference is computed from them
//        afterwards.
// expect-text: A

#include <cuda_runtime.h>

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    cudaMemset(const_cast<float*>(A), 0, sizeof(float) * M * N);
    cudaMemset(const_cast<float*>(B), 0, sizeof(float) * N * K);
    cudaMemset(C, 0, sizeof(float) * M * K);
}
