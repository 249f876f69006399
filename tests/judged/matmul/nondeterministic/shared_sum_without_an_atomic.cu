// leetk: problem matmul
// leetk: expect nondeterministic
// Fault: the threads of a block add to one shared sum without an atomic; on a GPU nearly all of it is
// lost. Run one after the other, as on the CPU, no update is.
// judged-on: cpu
// expect-text: update is lost

#include <cuda_runtime.h>

__global__ void element(const float* A, const float* B, float* C, int N, int K) {
    __shared__ float sum;
    int m = blockIdx.y, k = blockIdx.x;
    if (threadIdx.x == 0) sum = 0.0f;
    __syncthreads();
    float part = 0.0f;
    for (int n = threadIdx.x; n < N; n += 64) part += A[m * N + n] * B[n * K + k];
    sum += part;
    __syncthreads();
    if (threadIdx.x == 0) C[m * K + k] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    element<<<dim3(K, M), 64>>>(A, B, C, N, K);
    cudaDeviceSynchronize();
}
