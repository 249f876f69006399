// leetk: problem matmul
// leetk: expect wrong_answer
// Fault-numbers: 22
// Fault: the sum is kept in FP16, which has 10 bits after the leading one.
// Hint:  precision was lost in the sum
// expect-text: FP16-like precision: every element is a number that FP16 can hold

#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= K) return;
    __half sum = __float2half(0.0f);
    for (int n = 0; n < N; ++n) {
        sum = __hfma(__float2half(A[row * N + n]), __float2half(B[n * K + col]), sum);
    }
    C[row * K + col] = __half2float(sum);
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    const dim3 block(16, 16);
    const dim3 grid((K + 15) / 16, (M + 15) / 16);
    matmul<<<grid, block>>>(A, B, C, M, N, K);
}
