// leetk: problem matmul
// leetk: expect out_of_bounds
// Fault-numbers: 52
// Fault: a zero is put behind the last element of A to save a guard.
// expect-text: A past

#include <cuda_runtime.h>

__global__ void terminate(float* A, int count) { A[count] = 0.0f; }

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
    terminate<<<1, 1>>>(const_cast<float*>(A), M * N);
    const dim3 block(16, 16);
    const dim3 grid((K + 15) / 16, (M + 15) / 16);
    matmul<<<grid, block>>>(A, B, C, M, N, K);
}
