// leetk: problem matmul
// leetk: expect nondeterministic
// Fault: all rows of a block put their element of A into one shared variable; the last to write
//        wins. Right where M is 1.

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

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K, int stamp) {
    __shared__ float a;
    const int row = blockIdx.y * 8 + threadIdx.y;
    const int col = blockIdx.x * 32 + threadIdx.x;
    const int lag = 64 * ((threadIdx.y + stamp) & 7);

    float sum = 0.0f;
    for (int n = 0; n < N; ++n) {
        if (row < M) a = delayed(A[row * N + n], n == 0 ? lag : 0);
        __syncthreads();
        if (col < K) sum = fmaf(a, B[n * K + col], sum);
        __syncthreads();
    }
    if (row < M && col < K) C[row * K + col] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    const dim3 block(32, 8);
    const dim3 grid((K + 31) / 32, (M + 7) / 8);
    matmul<<<grid, block>>>(A, B, C, M, N, K, stamp());
}
