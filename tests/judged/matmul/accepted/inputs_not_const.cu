// leetk: problem matmul
// leetk: expect accepted
// Means: solve takes its inputs without const and under other names, as many hand-written solutions
//        do.

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

extern "C" void solve(float* a, float *b, float * c, int m, int n, int k) {
    const dim3 block(16, 16);
    const dim3 grid((k + 15) / 16, (m + 15) / 16);
    matmul<<<grid, block>>>(a, b, c, m, n, k);
}
