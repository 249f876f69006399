// leetk: problem matmul
// leetk: expect wrong_answer
// Fault: computes in fixed point, with 20 bits after the point: larger numbers don't fit.
// expect-text: scaled by powers of two

#include <cuda_runtime.h>

__device__ long long fixed(float x) {
    return (long long)(fminf(fmaxf(x, -2047.0f), 2047.0f) * 1048576.0f);
}

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= K) return;
    long long sum = 0;
    for (int n = 0; n < N; ++n) {
        sum += fixed(A[row * N + n]) * fixed(B[n * K + col]) >> 10;
    }
    C[row * K + col] = (float)((double)sum / 1073741824.0);
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    dim3 block(16, 16), grid((K + 15) / 16, (M + 15) / 16);
    matmul<<<grid, block>>>(A, B, C, M, N, K);
    cudaDeviceSynchronize();
}
