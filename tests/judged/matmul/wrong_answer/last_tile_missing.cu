// leetk: problem matmul
// leetk: expect wrong_answer
// Fault: the loop ends one tile of the contraction early, a full one too.

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
    for (int start = 0; start + TILE < N; start += TILE) {
        a[ty][tx] = row < M && start + tx < N ? A[row * N + start + tx] : 0.0f;
        b[ty][tx] = start + ty < N && col < K ? B[(start + ty) * K + col] : 0.0f;
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
