// leetk: problem transpose
// leetk: expect accepted
// Means: 32 x 8 threads move a tile of 32 x 32, four rows each.

#include <cuda_runtime.h>

constexpr int TILE = 32;
constexpr int ROWS = 8;

__global__ void transpose(const float* __restrict__ input, float* __restrict__ output, int rows, int cols) {
    __shared__ float tile[TILE][TILE + 1];
    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS) {
        if (col < cols && row + j < rows) {
            tile[threadIdx.y + j][threadIdx.x] = input[static_cast<size_t>(row + j) * cols + col];
        }
    }
    __syncthreads();
    col = blockIdx.y * TILE + threadIdx.x;
    row = blockIdx.x * TILE + threadIdx.y;
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS) {
        if (col < rows && row + j < cols) {
            output[static_cast<size_t>(row + j) * rows + col] = tile[threadIdx.x][threadIdx.y + j];
        }
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const dim3 grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    transpose<<<grid, dim3(TILE, ROWS)>>>(input, output, rows, cols);
}
