// leetk: problem matmul
// leetk: expect accepted, skipped
// Means: float32 by a tensor core: each operand is a large and a small TF32 number, and three
//        products are added to one accumulator, which drops what doesn't fit. Right, and less
//        precise in long sums than FP32 units: the bound on rounding allows for it.
// expect-text: mma.h

#include <cuda_runtime.h>
#include <mma.h>

using namespace nvcuda;

#define TILE 16
#define DEPTH 8

using LeftTile = wmma::fragment<wmma::matrix_a, TILE, TILE, DEPTH, wmma::precision::tf32,
                                wmma::row_major>;
using RightTile = wmma::fragment<wmma::matrix_b, TILE, TILE, DEPTH, wmma::precision::tf32,
                                 wmma::row_major>;

// Splits what was loaded into two TF32 numbers that add up to it, but for its last bits.
template <class Tile>
__device__ void split(Tile& large, Tile& small) {
    for (int i = 0; i < large.num_elements; ++i) {
        const float whole = large.x[i];
        large.x[i] = wmma::__float_to_tf32(whole);
        small.x[i] = wmma::__float_to_tf32(whole - large.x[i]);
    }
}

// One warp a tile of C; what lies outside the matrices is 0.
__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ __align__(128) float left[TILE * DEPTH], right[DEPTH * TILE], result[TILE * TILE];
    const int row = blockIdx.y * TILE, col = blockIdx.x * TILE;
    wmma::fragment<wmma::accumulator, TILE, TILE, DEPTH, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int n = 0; n < N; n += DEPTH) {
        for (int i = threadIdx.x; i < TILE * DEPTH; i += 32) {
            const int ar = row + i / DEPTH, an = n + i % DEPTH;
            const int bn = n + i / TILE, bc = col + i % TILE;
            left[i] = ar < M && an < N ? A[ar * N + an] : 0.0f;
            right[i] = bn < N && bc < K ? B[bn * K + bc] : 0.0f;
        }
        __syncwarp();
        LeftTile a, a_small;
        RightTile b, b_small;
        wmma::load_matrix_sync(a, left, DEPTH);
        wmma::load_matrix_sync(b, right, TILE);
        split(a, a_small);
        split(b, b_small);
        wmma::mma_sync(sum, a_small, b, sum);
        wmma::mma_sync(sum, a, b_small, sum);
        wmma::mma_sync(sum, a, b, sum);
        __syncwarp();
    }
    wmma::store_matrix_sync(result, sum, TILE, wmma::mem_row_major);
    __syncwarp();
    for (int i = threadIdx.x; i < TILE * TILE; i += 32) {
        const int r = row + i / TILE, c = col + i % TILE;
        if (r < M && c < K) C[r * K + c] = result[i];
    }
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    const dim3 grid((K + TILE - 1) / TILE, (M + TILE - 1) / TILE);
    matmul<<<grid, 32>>>(A, B, C, M, N, K);
}
