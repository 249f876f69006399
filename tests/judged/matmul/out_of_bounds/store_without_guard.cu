// leetk: problem matmul
// leetk: expect out_of_bounds
// Fault: the guard stands around the sum but not around the store: up to 255 elements past the end
//        are written.
// expect-text: C past

#include <cuda_runtime.h>

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    if (i < M * K) {
        for (int n = 0; n < N; ++n) {
            sum = fmaf(A[i / K * N + n], B[n * K + i % K], sum);
        }
    }
    C[i] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    matmul<<<(M * K + 255) / 256, 256>>>(A, B, C, M, N, K);
}
