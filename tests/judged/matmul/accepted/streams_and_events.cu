// leetk: problem matmul
// leetk: expect accepted
// Fault-numbers: 5
// Means: two halves of C on two streams, the second waiting for an event of the first; nothing
//        waits at the end.

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

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    cudaStream_t first, second;
    cudaStreamCreate(&first);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEvent_t done;
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);

    const dim3 block(16, 16);
    const int top = M / 2;
    if (top > 0) {
        const dim3 grid((K + 15) / 16, (top + 15) / 16);
        matmul<<<grid, block, 0, first>>>(A, B, C, top, N, K);
    }
    cudaEventRecord(done, first);
    cudaStreamWaitEvent(second, done, 0);
    const dim3 grid((K + 15) / 16, (M - top + 15) / 16);
    matmul<<<grid, block, 0, second>>>(A + top * N, B, C + top * K, M - top, N, K);

    cudaEventDestroy(done);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
}
