// leetk: problem matmul
// leetk: expect wrong_answer
// Fault: slices of the contraction are added with atomicAdd into a C that nobody cleared.
// Hint:  C is accumulated into without being cleared first
// expect-text: clear

#include <cuda_runtime.h>

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= K) return;
    float part = 0.0f;
    for (int n = blockIdx.z; n < N; n += gridDim.z) {
        part = fmaf(A[row * N + n], B[n * K + col], part);
    }
    atomicAdd(&C[row * K + col], part);
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    const dim3 block(16, 16);
    const dim3 grid((K + 15) / 16, (M + 15) / 16, 4);
    matmul<<<grid, block>>>(A, B, C, M, N, K);
}
