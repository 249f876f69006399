// leetk: problem matmul
//
// Idea:   bring the next tiles while this one is multiplied, by copies that need no register.
// Change: v5's loads, each waited for, become cp.async into a ring of three stages.
// Cost:   three times the shared memory; a copy can't turn a vector, so A goes in single floats.
// Expect: 0.72 of cuBLAS on an H200, hardly over v5: to address copies costs what waiting did.
// Source: asynchronous copies of sm_80 and newer, CUDA's programming guide.

#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstdint>

constexpr int LANES = 16;  // threads a block along each side
constexpr int THREADS = LANES * LANES;
constexpr int TILE = 128;  // outputs a block along each side
constexpr int HALF = TILE / 2;  // a thread has 4x4 outputs in each quarter of the tile
constexpr int DEPTH = 8;  // the part of N in a stage
constexpr int PAD = 4;  // spreads the stores of the turned tile over the banks
constexpr int STAGES = 3;

struct __align__(16) Stage {
    float a[DEPTH][TILE + PAD];
    float b[DEPTH][TILE];
};

// Starts copying a stage of the contraction, from `start` on. Rows and columns outside C are copied
// as the nearest inside, as nobody stores what they give; what N lacks is 0.
template <int WIDTH>
__device__ __forceinline__ void bring(Stage& stage, const float* A, const float* B, int start,
                                      int row0, int col0, int M, int N, int K) {
    const int a_col = threadIdx.x % DEPTH, n = start + a_col;
#pragma unroll
    for (int row = threadIdx.x / DEPTH; row < TILE; row += THREADS / DEPTH) {
        const float* from = A + static_cast<size_t>(min(row0 + row, M - 1)) * N + min(n, N - 1);
        __pipeline_memcpy_async(&stage.a[a_col][row], from, 4, n < N ? 0 : 4);
    }
    constexpr int ACROSS = TILE / WIDTH;
    const int col = threadIdx.x % ACROSS * WIDTH;
#pragma unroll
    for (int row = threadIdx.x / ACROSS; row < DEPTH; row += THREADS / ACROSS) {
        const int b_row = min(start + row, N - 1);
        const float* from = B + static_cast<size_t>(b_row) * K + min(col0 + col, K - WIDTH);
        const int zeros = start + row < N ? 0 : 4 * WIDTH;
        __pipeline_memcpy_async(&stage.b[row][col], from, 4 * WIDTH, zeros);
    }
}

// WIDTH: how many floats of B and C can be moved at a time.
template <int WIDTH>
__global__ void __launch_bounds__(THREADS, 2)
matmul_buffered(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ Stage stages[STAGES];

    const int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
    const int tx = threadIdx.x % LANES * 4, ty = threadIdx.x / LANES * 4;
    const int tiles = (N + DEPTH - 1) / DEPTH;

    // A batch for each tile, also for those behind the last, so that counting batches counts tiles.
#pragma unroll
    for (int t = 0; t < STAGES - 1; ++t) {
        if (t < tiles) bring<WIDTH>(stages[t], A, B, t * DEPTH, row0, col0, M, N, K);
        __pipeline_commit();
    }

    float sums[8][8] = {};
    for (int t = 0; t < tiles; ++t) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();  // tile t has come, and everyone is through with tile t - 1
        const int ahead = t + STAGES - 1;
        if (ahead < tiles) {
            bring<WIDTH>(stages[ahead % STAGES], A, B, ahead * DEPTH, row0, col0, M, N, K);
        }
        __pipeline_commit();

        Stage& stage = stages[t % STAGES];
#pragma unroll
        for (int i = 0; i < DEPTH; ++i) {
            float a[8], b[8];
            *reinterpret_cast<float4*>(&a[0]) = *reinterpret_cast<float4*>(&stage.a[i][ty]);
            *reinterpret_cast<float4*>(&a[4]) = *reinterpret_cast<float4*>(&stage.a[i][HALF + ty]);
            *reinterpret_cast<float4*>(&b[0]) = *reinterpret_cast<float4*>(&stage.b[i][tx]);
            *reinterpret_cast<float4*>(&b[4]) = *reinterpret_cast<float4*>(&stage.b[i][HALF + tx]);
#pragma unroll
            for (int r = 0; r < 8; ++r) {
#pragma unroll
                for (int c = 0; c < 8; ++c) {
                    sums[r][c] = fmaf(a[r], b[c], sums[r][c]);
                }
            }
        }
    }

#pragma unroll
    for (int r = 0; r < 8; ++r) {
        const int row = row0 + r / 4 * HALF + ty + r % 4;
        if (row >= M) continue;
        float* to = C + static_cast<size_t>(row) * K;
#pragma unroll
        for (int c = 0; c < 8; c += WIDTH) {
            const int col = col0 + c / 4 * HALF + tx + c % 4;
            if (col >= K) continue;
            if (WIDTH == 4) {
                *reinterpret_cast<float4*>(to + col) =
                    make_float4(sums[r][c], sums[r][c + 1], sums[r][c + 2], sums[r][c + 3]);
            } else {
                to[col] = sums[r][c];
            }
        }
    }
}

bool on_16_bytes(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer) % 16 == 0; }

// A is M x N, B is N x K, C is M x K, all row-major in device memory; N is summed over.
extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    const dim3 grid((K + TILE - 1) / TILE, (M + TILE - 1) / TILE);
    if (K % 4 == 0 && on_16_bytes(B) && on_16_bytes(C)) {
        matmul_buffered<4><<<grid, THREADS>>>(A, B, C, M, N, K);
    } else {
        matmul_buffered<1><<<grid, THREADS>>>(A, B, C, M, N, K);
    }
}
