// leetk: problem matmul
// leetk: expect accepted
// Means: the launch stands in a macro and takes its kernel and arguments from there.

#include <cuda_runtime.h>

#define LAUNCH(kernel, rows, cols, ...)                                      \
    kernel<<<dim3(((cols) + 15) / 16, ((rows) + 15) / 16), dim3(16, 16)>>>(  \
        __VA_ARGS__)

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
    LAUNCH(matmul, M, K, A, B, C, M, N, K);
}
