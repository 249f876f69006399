// leetk: problem matmul
// leetk: expect accepted
// Fault-numbers: 54
// Means: rows of B are read four columns at a time where the addresses allow it, one at a time
//        elsewhere.

#include <cuda_runtime.h>

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (row >= M || col >= K) return;

    if (K % 4 == 0) {
        float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        for (int n = 0; n < N; ++n) {
            const float a = A[row * N + n];
            const float4 b = *reinterpret_cast<const float4*>(&B[n * K + col]);
            sum.x = fmaf(a, b.x, sum.x);
            sum.y = fmaf(a, b.y, sum.y);
            sum.z = fmaf(a, b.z, sum.z);
            sum.w = fmaf(a, b.w, sum.w);
        }
        reinterpret_cast<float4*>(C)[(row * K + col) / 4] = sum;
        return;
    }
    for (int c = col; c < K && c < col + 4; ++c) {
        float sum = 0.0f;
        for (int n = 0; n < N; ++n) sum = fmaf(A[row * N + n], B[n * K + c], sum);
        C[row * K + c] = sum;
    }
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    const dim3 block(16, 16);
    const dim3 grid((K + 63) / 64, (M + 15) / 16);
    matmul<<<grid, block>>>(A, B, C, M, N, K);
}
