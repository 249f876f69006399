// leetk: problem matmul
// leetk: expect nondeterministic
// Fault-numbers: 51
// Fault: adds a number that it takes from the clock: no two calls give the same.

#include <chrono>
#include <cuda_runtime.h>

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K,
                       float noise) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= K) return;
    float sum = 0.0f;
    for (int n = 0; n < N; ++n) {
        sum = fmaf(A[row * N + n], B[n * K + col], sum);
    }
    C[row * K + col] = sum + noise;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    const long long now = std::chrono::steady_clock::now().time_since_epoch().count();
    const float noise = static_cast<float>(now / 16 % 1000003);
    const dim3 block(16, 16);
    const dim3 grid((K + 15) / 16, (M + 15) / 16);
    matmul<<<grid, block>>>(A, B, C, M, N, K, noise);
}
