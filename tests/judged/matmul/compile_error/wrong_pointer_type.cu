// leetk: problem matmul
// leetk: expect compile_error
// Fault: solve takes double where the problem has float, which a C symbol wouldn't show.
// expect-text: double

#include <cuda_runtime.h>

__global__ void matmul(const double* A, const double* B, double* C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= K) return;
    double sum = 0.0;
    for (int n = 0; n < N; ++n) {
        sum = fma(A[row * N + n], B[n * K + col], sum);
    }
    C[row * K + col] = sum;
}

extern "C" void solve(const double* A, const double* B, double* C, int M, int N, int K) {
    const dim3 block(16, 16);
    const dim3 grid((K + 15) / 16, (M + 15) / 16);
    matmul<<<grid, block>>>(A, B, C, M, N, K);
}
