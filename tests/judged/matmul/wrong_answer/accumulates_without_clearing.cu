// leetk: problem matmul
// leetk: expect wrong_answer
// Fault-numbers: 15
// Fault: adds into C and never clears it: right only where the output happens to start as zero.
// Hint:  C is accumulated into without being cleared first
// expect-text: clear

#include <cuda_runtime.h>

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= K) return;
    for (int n = 0; n < N; ++n) {
        C[row * K + col] = fmaf(A[row * N + n], B[n * K + col], C[row * K + col]);
    }
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    const dim3 block(16, 16);
    const dim3 grid((K + 15) / 16, (M + 15) / 16);
    matmul<<<grid, block>>>(A, B, C, M, N, K);
}
