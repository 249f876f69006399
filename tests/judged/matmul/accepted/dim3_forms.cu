// leetk: problem matmul
// leetk: expect accepted
// Means: dim3 in all its forms, a band of rows for each: int, braces, assignment, members,
//        temporaries.

#include <cuda_runtime.h>

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K,
                       int first) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= K) return;
    for (int row = first + 5 * blockIdx.y; row < M; row += 5 * gridDim.y) {
        float sum = 0.0f;
        for (int n = 0; n < N; ++n) sum = fmaf(A[row * N + n], B[n * K + col], sum);
        C[row * K + col] = sum;
    }
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    const int columns = (K + 63) / 64;
    matmul<<<columns, 64>>>(A, B, C, M, N, K, 0);

    const dim3 braces{static_cast<unsigned>(columns)};
    matmul<<<braces, dim3{64}>>>(A, B, C, M, N, K, 1);

    dim3 grid = columns, block = dim3(64, 1, 1);
    matmul<<<grid, block, 0>>>(A, B, C, M, N, K, 2);

    dim3 members;
    members.x = columns;
    members.z = 1;
    matmul<<<members, {64, 1}, 0, nullptr>>>(A, B, C, M, N, K, 3);

    matmul<<<dim3(columns, 3), uint3{64, 1, 1}, 0, 0>>>(A, B, C, M, N, K, 4);
}
