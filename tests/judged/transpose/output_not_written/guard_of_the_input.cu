// leetk: problem transpose
// leetk: expect output_not_written
// Fault: the store of a tile is guarded by the input's limits: cut-off tiles stay unwritten in
//        part.

#include <cuda_runtime.h>

constexpr int TILE = 16;

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    __shared__ float tile[TILE][TILE + 1];
    const int in_col = blockIdx.x * TILE + threadIdx.x;
    const int in_row = blockIdx.y * TILE + threadIdx.y;
    if (in_row < rows && in_col < cols) {
        tile[threadIdx.y][threadIdx.x] = input[in_row * cols + in_col];
    }
    __syncthreads();

    const int out_col = blockIdx.y * TILE + threadIdx.x;
    const int out_row = blockIdx.x * TILE + threadIdx.y;
    if (out_row < cols && out_col < rows && in_row < rows && in_col < cols) {
        output[out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const dim3 block(16, 16);
    const dim3 grid((cols + 15) / 16, (rows + 15) / 16);
    transpose<<<grid, block>>>(input, output, rows, cols);
}
