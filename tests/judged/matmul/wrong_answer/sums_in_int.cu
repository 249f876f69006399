// leetk: problem matmul
// leetk: expect wrong_answer
// Fault: the accumulator is an int, so every product is cut to a whole number. The examples are
//        whole.

#include <cuda_runtime.h>

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= K) return;
    int sum = 0;
    for (int n = 0; n < N; ++n) {
        sum += static_cast<int>(A[row * N + n] * B[n * K + col]);
    }
    C[row * K + col] = static_cast<float>(sum);
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    const dim3 block(16, 16);
    const dim3 grid((K + 15) / 16, (M + 15) / 16);
    matmul<<<grid, block>>>(A, B, C, M, N, K);
}
