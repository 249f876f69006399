// leetk: problem matmul
// leetk: expect wrong_answer
// Fault: past the end of N the tiles repeat the last valid element where they should hold zero.

#include <cuda_runtime.h>

constexpr int TILE = 16;

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float a[TILE][TILE];
    __shared__ float b[TILE][TILE];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;

    float sum = 0.0f;
    const int safe_row = min(row, M - 1);
    const int safe_col = min(col, K - 1);
    for (int start = 0; start < N; start += TILE) {
        a[ty][tx] = A[safe_row * N + min(start + tx, N - 1)];
        b[ty][tx] = B[min(start + ty, N - 1) * K + safe_col];
        __syncthreads();
        for (int i = 0; i < TILE; ++i) sum = fmaf(a[ty][i], b[i][tx], sum);
        __syncthreads();
    }
    if (row < M && col < K) C[row * K + col] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    const dim3 block(16, 16);
    const dim3 grid((K + 15) / 16, (M + 15) / 16);
    matmul<<<grid, block>>>(A, B, C, M, N, K);
}
