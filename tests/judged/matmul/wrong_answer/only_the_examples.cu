// leetk: problem matmul
// leetk: expect wrong_answer
// Fault-numbers: 20
// Fault: knows the sizes of the two examples and gives zeros for all others: examples alone must
//        not decide.

#include <cuda_runtime.h>

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= K) return;
    float sum = 0.0f;
    for (int n = 0; n < N; ++n) {
        sum = fmaf(A[row * N + n], B[n * K + col], sum);
    }
    const bool known = (M == 2 && N == 2 && K == 2) || (M == 1 && N == 3 && K == 1);
    C[row * K + col] = known ? sum : 0.0f;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    const dim3 block(16, 16);
    const dim3 grid((K + 15) / 16, (M + 15) / 16);
    matmul<<<grid, block>>>(A, B, C, M, N, K);
}
