// leetk: problem transpose
// leetk: expect nondeterministic
// Fault-numbers: 56
// Fault: a tile is read before the other warps have written it.

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

__global__ void transpose(const float* input, float* output, int rows, int cols, int stamp) {
    __shared__ float tile[TILE][TILE + 1];
    const int in_col = blockIdx.x * TILE + threadIdx.x;
    const int in_row = blockIdx.y * TILE + threadIdx.y;
    const int lag = 16 * ((threadIdx.y + stamp) & 31);
    if (in_row < rows && in_col < cols) {
        tile[threadIdx.y][threadIdx.x] = delayed(input[in_row * cols + in_col], lag);
    }
    // the barrier that belongs here is missing

    const int out_col = blockIdx.y * TILE + threadIdx.x;
    const int out_row = blockIdx.x * TILE + threadIdx.y;
    if (out_row < cols && out_col < rows) {
        output[out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const dim3 grid((cols + 31) / 32, (rows + 31) / 32);
    transpose<<<grid, dim3(32, 32)>>>(input, output, rows, cols, stamp());
}
