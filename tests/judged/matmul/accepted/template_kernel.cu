// leetk: problem matmul
// leetk: expect accepted
// Means: a kernel template, its type deduced and its tile given.

#include <cuda_runtime.h>

template <int TILE, typename T>
__global__ void matmul(const T* A, const T* B, T* C, int M, int N, int K) {
    __shared__ T a[TILE][TILE];
    __shared__ T b[TILE][TILE];
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;
    T sum = T(0);
    for (int start = 0; start < N; start += TILE) {
        const int a_col = start + threadIdx.x;
        const int b_row = start + threadIdx.y;
        a[threadIdx.y][threadIdx.x] = row < M && a_col < N ? A[row * N + a_col] : T(0);
        b[threadIdx.y][threadIdx.x] = b_row < N && col < K ? B[b_row * K + col] : T(0);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; ++i) sum += a[threadIdx.y][i] * b[i][threadIdx.x];
        __syncthreads();
    }
    if (row < M && col < K) C[row * K + col] = sum;
}

template <int TILE>
void launch(const float* A, const float* B, float* C, int M, int N, int K) {
    const dim3 block(TILE, TILE);
    const dim3 grid((K + TILE - 1) / TILE, (M + TILE - 1) / TILE);
    matmul<TILE><<<grid, block>>>(A, B, C, M, N, K);
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    if (N > 64) {
        launch<16>(A, B, C, M, N, K);
    } else {
        launch<8>(A, B, C, M, N, K);
    }
}
