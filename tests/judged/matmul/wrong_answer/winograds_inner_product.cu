// leetk: problem matmul
// leetk: expect wrong_answer
// Fault: saves half of the multiplications by adding elements of A and B first, and loses the
//        smaller one's bits where they are of unlike size.
// expect-text: scaled by powers of two

#include <cuda_runtime.h>

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= K) return;
    float sum = 0.0f, pairs = 0.0f;
    int n = 0;
    for (; n + 1 < N; n += 2) {
        const float a0 = A[row * N + n], a1 = A[row * N + n + 1];
        const float b0 = B[n * K + col], b1 = B[(n + 1) * K + col];
        sum += (a0 + b1) * (a1 + b0);
        pairs += a0 * a1 + b0 * b1;
    }
    sum -= pairs;
    if (n < N) sum += A[row * N + n] * B[n * K + col];
    C[row * K + col] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    dim3 block(16, 16), grid((K + 15) / 16, (M + 15) / 16);
    matmul<<<grid, block>>>(A, B, C, M, N, K);
    cudaDeviceSynchronize();
}
