// leetk: problem matmul
// leetk: expect wrong_answer
// Fault: takes a zero for the end of a row.
// expect-text: mostly zeros

#include <cuda_runtime.h>

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= K) return;
    float sum = 0.0f;
    for (int n = 0; n < N; ++n) {
        if (A[row * N + n] == 0.0f) break;
        sum = fmaf(A[row * N + n], B[n * K + col], sum);
    }
    C[row * K + col] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    dim3 block(16, 16), grid((K + 15) / 16, (M + 15) / 16);
    matmul<<<grid, block>>>(A, B, C, M, N, K);
    cudaDeviceSynchronize();
}
