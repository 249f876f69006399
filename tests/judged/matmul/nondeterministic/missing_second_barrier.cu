// leetk: problem matmul
// leetk: expect nondeterministic
// Fault-numbers: 56
// Fault: nothing stops a fast warp from overwriting the tiles while a slow one still reads them.
//        Right where N is one tile or less.

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

constexpr int TILE = 32;

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K, int stamp) {
    __shared__ float a[TILE][TILE];
    __shared__ float b[TILE][TILE];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;

    float sum = 0.0f;
    for (int start = 0; start < N; start += TILE) {
        const int lag = start == 0 ? 16 * ((ty + stamp) & 31) : 0;
        const float next = start + ty < N && col < K ? B[(start + ty) * K + col] : 0.0f;
        a[ty][tx] = row < M && start + tx < N ? A[row * N + start + tx] : 0.0f;
        b[ty][tx] = next;
        __syncthreads();
        sum = delayed(sum, lag);
        for (int i = 0; i < TILE; ++i) sum = fmaf(a[ty][i], b[i][tx], sum);
        // the barrier that belongs here is missing
    }
    if (row < M && col < K) C[row * K + col] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    const dim3 block(32, 32);
    const dim3 grid((K + 31) / 32, (M + 31) / 32);
    matmul<<<grid, block>>>(A, B, C, M, N, K, stamp());
}
