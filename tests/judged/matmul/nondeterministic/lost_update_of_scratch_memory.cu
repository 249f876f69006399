// leetk: problem matmul
// leetk: expect nondeterministic
// Fault: two blocks add their halves of each sum to scratch memory, between fences but without an
// atomic; a second kernel copies it.
// judged-on: cpu
// expect-text: update is lost

#include <cuda_runtime.h>

__global__ void halves(const float* A, const float* B, float* sums, int M, int N, int K) {
    int k = blockIdx.x * 16 + threadIdx.x, m = blockIdx.y * 16 + threadIdx.y;
    if (m >= M || k >= K) return;
    int first = blockIdx.z ? N / 2 : 0, end = blockIdx.z ? N : N / 2;
    float sum = 0.0f;
    for (int n = first; n < end; ++n) sum += A[m * N + n] * B[n * K + k];
    __threadfence();
    sums[m * K + k] += sum;
    __threadfence();
}

__global__ void copy(const float* sums, float* C, int count) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < count) C[i] = sums[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    float* sums;
    cudaMalloc(&sums, sizeof(float) * M * K);
    cudaMemset(sums, 0, sizeof(float) * M * K);
    halves<<<dim3((K + 15) / 16, (M + 15) / 16, 2), dim3(16, 16)>>>(A, B, sums, M, N, K);
    copy<<<(M * K + 255) / 256, 256>>>(sums, C, M * K);
    cudaDeviceSynchronize();
    cudaFree(sums);
}
