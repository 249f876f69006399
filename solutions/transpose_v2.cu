// leetk: problem transpose
//
// Idea:   put a detour through shared memory between the read and the write.
// Change: transpose_v1 with a 16x16 tile; a thread still stores the element that it loaded.
// Cost:   the store is as scattered as before, so shared memory alone isn't the remedy.
// Expect: about 0.38 of a device copy on an H200: a block's loads and stores come in bursts.
// Source: the first shared-memory kernel of a study note on transposing.

#include <cuda_runtime.h>

constexpr int TILE = 16;

__global__ void transpose_through_shared(const float* input, float* output, int rows, int cols) {
    __shared__ float tile[TILE][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int col = blockIdx.x * TILE + tx;
    const int row = blockIdx.y * TILE + ty;
    const bool inside = row < rows && col < cols;

    if (inside) {
        tile[ty][tx] = input[row * cols + col];
    }
    __syncthreads();

    if (inside) {
        output[col * rows + row] = tile[ty][tx];
    }
}

// input is rows x cols, output is cols x rows, both row-major in device memory.
extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const dim3 block(TILE, TILE);
    const dim3 grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    transpose_through_shared<<<grid, block>>>(input, output, rows, cols);
}
