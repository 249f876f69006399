// leetk: problem matmul
// leetk: expect nondeterministic
// Fault: a block adds its partial sums in a tree with no barrier between the steps, as if it were
//        one warp. Short sums take another kernel and are right.

#include <chrono>
#include <cuda_runtime.h>

// Takes time in proportion to rounds and gives x back: warps reach the race in an order that changes from
// launch to launch, as they would beside other work.
__device__ float delayed(float x, int rounds) {
    for (int i = 0; i < rounds; ++i) x = 0.5f * x + 0.5f * x;
    return x;
}

static int stamp() {
    const long long now = std::chrono::steady_clock::now().time_since_epoch().count();
    return static_cast<int>((now ^ (now >> 5) ^ (now >> 11)) & 31);
}

constexpr int THREADS = 128;

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K, int stamp) {
    __shared__ float part[THREADS];
    const int tid = threadIdx.x;
    const int row = blockIdx.y;
    const int col = blockIdx.x;
    const int lag = 8 * ((tid / 32 * 5 + col + row + stamp) & 31);

    float sum = 0.0f;
    for (int n = tid; n < N; n += THREADS) sum = fmaf(A[row * N + n], B[n * K + col], sum);
    part[tid] = sum;
    __syncthreads();
    if (tid < 64) part[tid] = delayed(part[tid] + part[tid + 64], lag);
    for (int step = 32; step > 0; step /= 2) {
        if (tid < step) part[tid] += part[tid + step];
    }
    if (tid == 0) C[row * K + col] = part[0];
}

__global__ void short_matmul(const float* A, const float* B, float* C, int M, int N, int K) {
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
    if (N < 32) {
        const dim3 grid((K + 15) / 16, (M + 15) / 16);
        short_matmul<<<grid, dim3(16, 16)>>>(A, B, C, M, N, K);
    } else {
        matmul<<<dim3(K, M), THREADS>>>(A, B, C, M, N, K, stamp());
    }
}
