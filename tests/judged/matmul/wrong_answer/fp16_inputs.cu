// leetk: problem matmul
// leetk: expect wrong_answer
// Fault-numbers: 22
// Fault: inputs are rounded to FP16, products and sums are in float32, as a tensor core's are.
// Hint:  precision was lost in the inputs
// expect-text: FP16

#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= K) return;
    float sum = 0.0f;
    for (int n = 0; n < N; ++n) {
        const __half a = __float2half(A[row * N + n]);
        const __half b = __float2half(B[n * K + col]);
        sum = fmaf(__half2float(a), __half2float(b), sum);
    }
    C[row * K + col] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    const dim3 block(16, 16);
    const dim3 grid((K + 15) / 16, (M + 15) / 16);
    matmul<<<grid, block>>>(A, B, C, M, N, K);
}
