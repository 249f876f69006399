// leetk: problem matmul
// leetk: expect wrong_answer
// Fault-numbers: 22
// Fault: inputs are rounded to TF32's precision, sums are in float32: fast, and not what was asked.
//        TF32 has FP16's 10 bits of mantissa, so both look alike here.
// Hint:  precision was lost in the inputs
// expect-text: TF32

#include <cuda_runtime.h>

// Rounds to 10 bits of mantissa, to nearest even, with no half type needed.
__device__ float rounded(float x) {
    unsigned bits = __float_as_uint(x);
    bits += 0x0fffu + ((bits >> 13) & 1u);
    return __uint_as_float(bits & 0xffffe000u);
}

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= K) return;
    float sum = 0.0f;
    for (int n = 0; n < N; ++n) {
        sum = fmaf(rounded(A[row * N + n]), rounded(B[n * K + col]), sum);
    }
    C[row * K + col] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    const dim3 block(16, 16);
    const dim3 grid((K + 15) / 16, (M + 15) / 16);
    matmul<<<grid, block>>>(A, B, C, M, N, K);
}
