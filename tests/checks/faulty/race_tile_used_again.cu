// The second tile overwrites the first one, which other warps still read.
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    __shared__ float tile[16][17];
    for (int row = blockIdx.y * 16; row < rows; row += 16 * gridDim.y) {
        int x = blockIdx.x * 16 + threadIdx.x, y = row + threadIdx.y;
        if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = input[y * cols + x];
        __syncthreads();
        x = row + threadIdx.x;
        y = blockIdx.x * 16 + threadIdx.y;
        if (x < rows && y < cols) output[y * rows + x] = tile[threadIdx.x][threadIdx.y];  // race
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    dim3 block(16, 16), grid((cols + 15) / 16, 1);
    transpose<<<grid, block>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
