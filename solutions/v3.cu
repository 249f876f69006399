// leetk: problem matmul
//
// Idea:   a thread keeps four sums of one row, 16 columns apart; each value of A serves all four.
// Change: v2's block covers 16x16 outputs, this one 16x64 with as many threads; 6.4 FLOP a byte.
// Cost:   5 KiB of shared memory, four accumulators; a B column of the wrong sub-block repeats.
// Expect: about 0.22 of cuBLAS's SGEMM on an H200 at M=8192, N=6144, K=4096.
// Source: register tiling; V3 of a study note on this problem, its column of B mended.

#include <cuda_runtime.h>

constexpr int TILE_ROWS = 16;  // rows of C a block; threadIdx.y
constexpr int TILE_DEPTH = 16;  // the part of N in shared memory
constexpr int LANES = 16;  // threadIdx.x
constexpr int PER_THREAD = 4;  // outputs a thread
constexpr int TILE_COLS = LANES * PER_THREAD;  // columns of C a block

__global__ void matmul_four_outputs(const float* A, const float* B, float* C,
                                    int M, int N, int K) {
    __shared__ float tile_a[TILE_ROWS][TILE_DEPTH];
    __shared__ float tile_b[TILE_DEPTH][TILE_COLS];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE_ROWS + ty;
    const int first_col = blockIdx.x * TILE_COLS + tx;

    float sums[PER_THREAD] = {};
    for (int start = 0; start < N; start += TILE_DEPTH) {
        const int a_col = start + tx;
        const int b_row = start + ty;
        tile_a[ty][tx] = row < M && a_col < N ? A[row * N + a_col] : 0.0f;
        for (int j = 0; j < PER_THREAD; ++j) {
            const int col = first_col + j * LANES;
            tile_b[ty][tx + j * LANES] = b_row < N && col < K ? B[b_row * K + col] : 0.0f;
        }
        __syncthreads();

        for (int i = 0; i < TILE_DEPTH; ++i) {
            const float a = tile_a[ty][i];
            for (int j = 0; j < PER_THREAD; ++j) {
                sums[j] = fmaf(a, tile_b[i][tx + j * LANES], sums[j]);
            }
        }
        __syncthreads();
    }

    if (row >= M) return;
    for (int j = 0; j < PER_THREAD; ++j) {
        const int col = first_col + j * LANES;
        if (col < K) {
            C[row * K + col] = sums[j];
        }
    }
}

// A is M x N, B is N x K, C is M x K, all row-major in device memory; N is summed over.
extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    const dim3 block(LANES, TILE_ROWS);
    const dim3 grid((K + TILE_COLS - 1) / TILE_COLS, (M + TILE_ROWS - 1) / TILE_ROWS);
    matmul_four_outputs<<<grid, block>>>(A, B, C, M, N, K);
}
