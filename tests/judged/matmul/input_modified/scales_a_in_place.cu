// leetk: problem matmul
// leetk: expect input_modified
// Fault-numbers: 16
// Fault: doubles A in place and halves the sums: a right product, a ruined input.
// expect-text: A

#include <cuda_runtime.h>

__global__ void twice(float* values, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) values[i] *= 2.0f;
}

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= K) return;
    float sum = 0.0f;
    for (int n = 0; n < N; ++n) {
        sum = fmaf(A[row * N + n], B[n * K + col], sum);
    }
    C[row * K + col] = 0.5f * sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    twice<<<(M * N + 255) / 256, 256>>>(const_cast<float*>(A), M * N);
    const dim3 block(16, 16);
    const dim3 grid((K + 15) / 16, (M + 15) / 16);
    matmul<<<grid, block>>>(A, B, C, M, N, K);
}
