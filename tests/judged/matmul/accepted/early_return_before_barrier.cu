// leetk: problem matmul
// leetk: expect accepted
// Fault-numbers: 57
// Means: threads past the last column leave before any barrier; those that stay share the loading
//        among themselves.

#include <cuda_runtime.h>

constexpr int THREADS = 128;

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float a[THREADS];
    const int tid = threadIdx.x;
    const int row = blockIdx.y;
    const int first = blockIdx.x * THREADS;
    const int col = first + tid;
    if (col >= K) return;

    const int live = min(THREADS, K - first);
    float sum = 0.0f;
    for (int start = 0; start < N; start += live) {
        if (start + tid < N) a[tid] = A[row * N + start + tid];
        __syncthreads();
        const int count = min(live, N - start);
        for (int i = 0; i < count; ++i) sum = fmaf(a[i], B[(start + i) * K + col], sum);
        __syncthreads();
    }
    C[row * K + col] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    matmul<<<dim3((K + THREADS - 1) / THREADS, M), THREADS>>>(A, B, C, M, N, K);
}
