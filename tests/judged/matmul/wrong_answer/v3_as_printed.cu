// leetk: problem matmul
// leetk: expect wrong_answer
// Fault: B is loaded from the block's first column in place of the sub-block's, so columns 16 to 63
//        of every 64 repeat columns 0 to 15. Both examples pass, as does any K of 16 or less; nvcc
//        warns (177-D).
// Hint:  columns j repeat columns j-16
// expect-text: columns repeat

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
            tile_b[ty][tx + j * LANES] =
                b_row < N && first_col < K ? B[b_row * K + first_col] : 0.0f;
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
