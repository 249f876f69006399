// leetk: problem matmul
// leetk: expect accepted
// Fault-numbers: 51
// Means: one kernel clears C, a second adds slices of the contraction into it with atomicAdd: the
//        order of the sums varies within the tolerance.

#include <cuda_runtime.h>

__global__ void clear(float* C, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) C[i] = 0.0f;
}

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= K) return;
    float part = 0.0f;
    for (int n = blockIdx.z; n < N; n += gridDim.z) {
        part = fmaf(A[row * N + n], B[n * K + col], part);
    }
    atomicAdd(&C[row * K + col], part);
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    clear<<<(M * K + 255) / 256, 256>>>(C, M * K);
    const dim3 block(16, 16);
    const dim3 grid((K + 15) / 16, (M + 15) / 16, 4);
    matmul<<<grid, block>>>(A, B, C, M, N, K);
}
