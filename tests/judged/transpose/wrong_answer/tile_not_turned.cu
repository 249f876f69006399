// leetk: problem transpose
// leetk: expect wrong_answer
// Fault: the tile is read as it was written; only the blocks change places, and the last thread of
//        a tile that is cut off has nothing sensible to store.

#include <cuda_runtime.h>

constexpr int TILE = 16;

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    __shared__ float tile[TILE][TILE + 1];
    const int in_col = blockIdx.x * TILE + threadIdx.x;
    const int in_row = blockIdx.y * TILE + threadIdx.y;
    if (in_row < rows && in_col < cols) {
        tile[threadIdx.y][threadIdx.x] = input[in_row * cols + in_col];
    } else {
        tile[threadIdx.y][threadIdx.x] = 0.0f;
    }
    __syncthreads();

    const int out_col = blockIdx.y * TILE + threadIdx.x;
    const int out_row = blockIdx.x * TILE + threadIdx.y;
    if (out_row < cols && out_col < rows) {
        output[out_row * rows + out_col] = tile[threadIdx.y][threadIdx.x];
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const dim3 block(16, 16);
    const dim3 grid((cols + 15) / 16, (rows + 15) / 16);
    transpose<<<grid, block>>>(input, output, rows, cols);
}
