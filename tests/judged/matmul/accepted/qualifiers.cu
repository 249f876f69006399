// leetk: problem matmul
// leetk: expect accepted
// Means: __restrict__, __launch_bounds__, __forceinline__, __ldg, unroll counts, a device lambda-
//        free functor.

#include <cuda_runtime.h>

struct MultiplyAdd {
    __host__ __device__ __forceinline__ float operator()(float a, float b, float sum) const {
        return fmaf(a, b, sum);
    }
};

template <typename Op>
__global__ void __launch_bounds__(256, 2)
matmul(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
       int M, int N, int K, Op op) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= K) return;
    float sum = 0.0f;
#pragma unroll 4
    for (int n = 0; n < N; ++n) sum = op(__ldg(&A[row * N + n]), __ldg(B + n * K + col), sum);
    C[row * K + col] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    const dim3 block(16, 16);
    const dim3 grid((K + 15) / 16, (M + 15) / 16);
    matmul<<<grid, block>>>(A, B, C, M, N, K, MultiplyAdd{});
}
