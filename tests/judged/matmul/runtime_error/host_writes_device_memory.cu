// leetk: problem matmul
// leetk: expect runtime_error
// Fault: host code stores into C, whose address is the device's.

#include <cuda_runtime.h>

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    for (int m = 0; m < M; ++m) {
        for (int k = 0; k < K; ++k) {
            float sum = 0.0f;
            for (int n = 0; n < N; ++n) sum += A[m * N + n] * B[n * K + k];
            C[m * K + k] = sum;
        }
    }
}
