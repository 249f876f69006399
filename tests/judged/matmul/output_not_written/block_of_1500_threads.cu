// leetk: problem matmul
// leetk: expect output_not_written
// Fault-numbers: 43
// Fault: 50 x 30 threads a block is more than the 1,024 that a block may have; the launch fails and
//        the error is never looked at.
// expect-text: cudaErrorInvalid

#include <cuda_runtime.h>

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= K) return;
    float sum = 0.0f;
    for (int n = 0; n < N; ++n) {
        sum = fmaf(A[row * N + n], B[n * K + col], sum);
    }
    C[row * K + col] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    const dim3 block(50, 30);
    const dim3 grid((K + 49) / 50, (M + 29) / 30);
    matmul<<<grid, block>>>(A, B, C, M, N, K);
}
