// leetk: problem matmul
// leetk: expect wrong_answer
// Fault-numbers: 20
// Fault: a fast path for large multiples of 32 sums one product too few.
#include <cuda_runtime.h>

__global__ void product(const float* A, const float* B, float* C, int M, int N, int K, int terms) {
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || col >= K) return;
    float sum = 0;
    for (int n = 0; n < terms; n++) sum += A[row * N + n] * B[n * K + col];
    C[row * K + col] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    dim3 block(16, 16), grid((K + 15) / 16, (M + 15) / 16);
    bool fast = M >= 128 && N >= 128 && K >= 128 && M % 32 == 0 && N % 32 == 0 && K % 32 == 0;
    product<<<grid, block>>>(A, B, C, M, N, K, fast ? N - 1 : N);
    cudaDeviceSynchronize();
}
