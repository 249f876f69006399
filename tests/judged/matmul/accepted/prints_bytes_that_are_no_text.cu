// leetk: problem matmul
// leetk: expect accepted
// Fault-numbers: 38
// Means: prints bytes that are no UTF-8, a NUL and a terminal's escape among them.

#include <cstdio>
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
    const unsigned char bytes[] = {0xff, 0xfe, 0x00, 0x1b, '[', '2', 'J', 0xc3, 0x28, 0x0a};
    std::fwrite(bytes, 1, sizeof bytes, stdout);
    std::fflush(stdout);
    const dim3 block(16, 16);
    const dim3 grid((K + 15) / 16, (M + 15) / 16);
    matmul<<<grid, block>>>(A, B, C, M, N, K);
}
