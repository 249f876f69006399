// leetk: problem matmul
// leetk: expect accepted
// Means: both tiles lie in one extern __shared__ array, its size given at the launch.

#include <cuda_runtime.h>

constexpr int TILE = 16;

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    extern __shared__ float tiles[];
    float* a = tiles;
    float* b = tiles + TILE * TILE;
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;

    float sum = 0.0f;
    for (int start = 0; start < N; start += TILE) {
        a[ty * TILE + tx] = row < M && start + tx < N ? A[row * N + start + tx] : 0.0f;
        b[ty * TILE + tx] = start + ty < N && col < K ? B[(start + ty) * K + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE; ++i) sum = fmaf(a[ty * TILE + i], b[i * TILE + tx], sum);
        __syncthreads();
    }
    if (row < M && col < K) C[row * K + col] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    const dim3 block(TILE, TILE);
    const dim3 grid((K + TILE - 1) / TILE, (M + TILE - 1) / TILE);
    matmul<<<grid, block, 2 * TILE * TILE * sizeof(float)>>>(A, B, C, M, N, K);
}
