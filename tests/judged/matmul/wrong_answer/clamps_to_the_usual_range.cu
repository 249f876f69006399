// leetk: problem matmul
// leetk: expect wrong_answer
// Fault: cuts inputs off at 10, as if no number could be larger.
// expect-text: scaled by powers of two

#include <cuda_runtime.h>

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= K) return;
    float sum = 0.0f;
    for (int n = 0; n < N; ++n) {
        const float b = fminf(fmaxf(B[n * K + col], -10.0f), 10.0f);
        sum = fmaf(A[row * N + n], b, sum);
    }
    C[row * K + col] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    dim3 block(16, 16), grid((K + 15) / 16, (M + 15) / 16);
    matmul<<<grid, block>>>(A, B, C, M, N, K);
    cudaDeviceSynchronize();
}
