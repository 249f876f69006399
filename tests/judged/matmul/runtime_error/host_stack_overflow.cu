// leetk: problem matmul
// leetk: expect runtime_error
// Fault-numbers: 36
// Fault: host code recurses without end.

#include <cuda_runtime.h>

static int deeper(int level) {
    volatile char frame[4096];
    frame[level % 4096] = static_cast<char>(level);
    return frame[level % 4096] + deeper(level + 1) + frame[0];
}

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
    if (deeper(0) == 42) return;
    const dim3 block(16, 16);
    const dim3 grid((K + 15) / 16, (M + 15) / 16);
    matmul<<<grid, block>>>(A, B, C, M, N, K);
}
