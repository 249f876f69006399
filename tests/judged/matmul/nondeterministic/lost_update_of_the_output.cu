// leetk: problem matmul
// leetk: expect nondeterministic
// Fault: one thread for each product, all of one element of C added up without an atomic. Run one
// after the other, as on the CPU, no update is lost: looking at each access finds it.
// judged-on: cpu
// expect-text: update is lost

#include <cuda_runtime.h>

__global__ void clear(float* C, int count) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < count) C[i] = 0.0f;
}

__global__ void products(const float* A, const float* B, float* C, int M, int N, int K) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= M * N * K) return;
    int k = i % K, n = i / K % N, m = i / K / N;
    C[m * K + k] += A[m * N + n] * B[n * K + k];
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    clear<<<(M * K + 255) / 256, 256>>>(C, M * K);
    products<<<(M * N * K + 255) / 256, 256>>>(A, B, C, M, N, K);
    cudaDeviceSynchronize();
}
