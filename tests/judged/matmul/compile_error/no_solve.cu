// leetk: problem matmul
// leetk: expect compile_error
// Fault: a program with a main of its own and no solve.
// expect-text: solve

#include <cuda_runtime.h>

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

int main() {
    matmul<<<1, 1>>>(nullptr, nullptr, nullptr, 0, 0, 0);
    return cudaDeviceSynchronize();
}
