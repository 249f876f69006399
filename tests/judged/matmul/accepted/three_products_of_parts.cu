// leetk: problem matmul
// leetk: expect accepted
// Means: float32 as tensor cores emulate it: each number is two parts of 11 bits, and of their four
//        products the three larger ones are added up. Right for large and for sparse data, too.

#include <cuda_runtime.h>

// The leading 11 bits.
__device__ float large_part(float x) { return __uint_as_float(__float_as_uint(x) & 0xffffe000u); }

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= K) return;
    float sum = 0.0f;
    for (int n = 0; n < N; ++n) {
        const float a = A[row * N + n], b = B[n * K + col];
        const float a_large = large_part(a), b_large = large_part(b);
        const float a_small = large_part(a - a_large), b_small = large_part(b - b_large);
        sum += a_small * b_large;
        sum += a_large * b_small;
        sum += a_large * b_large;
    }
    C[row * K + col] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    dim3 block(16, 16), grid((K + 15) / 16, (M + 15) / 16);
    matmul<<<grid, block>>>(A, B, C, M, N, K);
    cudaDeviceSynchronize();
}
