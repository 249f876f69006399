// leetk: problem matmul
// leetk: expect runtime_error
// Fault: starts processes that start nothing but wait, and never stops.
// Fault-numbers: 39
// expect-text: processes

#include <cuda_runtime.h>
#include <unistd.h>

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
    for (int i = 0; i < 100; ++i) {
        if (fork() == 0) {
            sleep(60);
            _exit(0);
        }
    }
    sleep(4);
    const dim3 block(16, 16);
    const dim3 grid((K + 15) / 16, (M + 15) / 16);
    matmul<<<grid, block>>>(A, B, C, M, N, K);
}
