// leetk: problem matmul
//
// Idea:   move four floats an instruction, from global memory to shared and on to registers.
// Change: v4's 16 shared loads for 64 FMAs become 4; the A tile is stored rows along memory.
// Cost:   float4 needs addresses of 16 bytes: where 4 doesn't divide N or K, single floats instead.
// Expect: about 0.71 of cuBLAS's SGEMM on an H200 at M=8192, N=6144, K=4096.
// Source: vectorised loads, as in every description of a fast SGEMM.

#include <cuda_runtime.h>

#include <cstdint>

constexpr int LANES = 16;  // threads a block along each side
constexpr int THREADS = LANES * LANES;
constexpr int TILE = 128;  // outputs a block along each side
constexpr int HALF = TILE / 2;  // a thread has 4x4 outputs in each quarter of the tile
constexpr int DEPTH = 8;  // the part of N in shared memory
constexpr int PAD = 4;  // spreads the stores of the turned tile over the banks

// Four floats of a row from `col` on; what lies at `end` or behind is 0.
template <bool ALIGNED>
__device__ __forceinline__ float4 load4(const float* row, int col, int end) {
    float4 x = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if constexpr (ALIGNED) {
        if (col < end) x = *reinterpret_cast<const float4*>(row + col);
    } else {
        if (col < end) x.x = row[col];
        if (col + 1 < end) x.y = row[col + 1];
        if (col + 2 < end) x.z = row[col + 2];
        if (col + 3 < end) x.w = row[col + 3];
    }
    return x;
}

template <bool ALIGNED>
__device__ __forceinline__ void store4(float* row, int col, int end, const float* x) {
    if constexpr (ALIGNED) {
        if (col < end) *reinterpret_cast<float4*>(row + col) = make_float4(x[0], x[1], x[2], x[3]);
    } else {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            if (col + i < end) row[col + i] = x[i];
        }
    }
}

template <bool A_ALIGNED, bool B_ALIGNED>
__global__ void __launch_bounds__(THREADS, 2)
matmul_vectorised(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ __align__(16) float tile_a[DEPTH][TILE + PAD];
    __shared__ __align__(16) float tile_b[DEPTH][TILE];

    const int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
    const int tx = threadIdx.x % LANES * 4, ty = threadIdx.x / LANES * 4;
    // What this thread brings: a float4 of each tile.
    const int a_row = threadIdx.x / (DEPTH / 4), a_col = threadIdx.x % (DEPTH / 4) * 4;
    const int b_row = threadIdx.x / (TILE / 4), b_col = threadIdx.x % (TILE / 4) * 4;
    // A row outside A is loaded as its last: nobody stores what it gives.
    const float* a_from = A + static_cast<size_t>(min(row0 + a_row, M - 1)) * N;

    float sums[8][8] = {};
    for (int start = 0; start < N; start += DEPTH) {
        const float4 a4 = load4<A_ALIGNED>(a_from, start + a_col, N);
        const int n = start + b_row;
        const float* b_from = B + static_cast<size_t>(min(n, N - 1)) * K;
        const float4 b4 = load4<B_ALIGNED>(b_from, col0 + b_col, n < N ? K : 0);
        tile_a[a_col + 0][a_row] = a4.x;
        tile_a[a_col + 1][a_row] = a4.y;
        tile_a[a_col + 2][a_row] = a4.z;
        tile_a[a_col + 3][a_row] = a4.w;
        *reinterpret_cast<float4*>(&tile_b[b_row][b_col]) = b4;
        __syncthreads();

#pragma unroll
        for (int i = 0; i < DEPTH; ++i) {
            float a[8], b[8];
            *reinterpret_cast<float4*>(&a[0]) = *reinterpret_cast<float4*>(&tile_a[i][ty]);
            *reinterpret_cast<float4*>(&a[4]) = *reinterpret_cast<float4*>(&tile_a[i][HALF + ty]);
            *reinterpret_cast<float4*>(&b[0]) = *reinterpret_cast<float4*>(&tile_b[i][tx]);
            *reinterpret_cast<float4*>(&b[4]) = *reinterpret_cast<float4*>(&tile_b[i][HALF + tx]);
#pragma unroll
            for (int r = 0; r < 8; ++r) {
#pragma unroll
                for (int c = 0; c < 8; ++c) {
                    sums[r][c] = fmaf(a[r], b[c], sums[r][c]);
                }
            }
        }
        __syncthreads();
    }

#pragma unroll
    for (int r = 0; r < 8; ++r) {
        const int row = row0 + r / 4 * HALF + ty + r % 4;
        if (row >= M) continue;
        float* to = C + static_cast<size_t>(row) * K;
        store4<B_ALIGNED>(to, col0 + tx, K, &sums[r][0]);
        store4<B_ALIGNED>(to, col0 + HALF + tx, K, &sums[r][4]);
    }
}

bool on_16_bytes(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer) % 16 == 0; }

// A is M x N, B is N x K, C is M x K, all row-major in device memory; N is summed over.
extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    const dim3 grid((K + TILE - 1) / TILE, (M + TILE - 1) / TILE);
    const bool a = N % 4 == 0 && on_16_bytes(A);
    const bool b = K % 4 == 0 && on_16_bytes(B) && on_16_bytes(C);
    if (a && b) {
        matmul_vectorised<true, true><<<grid, THREADS>>>(A, B, C, M, N, K);
    } else if (a) {
        matmul_vectorised<true, false><<<grid, THREADS>>>(A, B, C, M, N, K);
    } else if (b) {
        matmul_vectorised<false, true><<<grid, THREADS>>>(A, B, C, M, N, K);
    } else {
        matmul_vectorised<false, false><<<grid, THREADS>>>(A, B, C, M, N, K);
    }
}
