// leetk: problem transpose
// leetk: expect runtime_error
// Fault: threads inside the matrix wait at one barrier, those beside it at another one in the same line.
// judged-on: cpu
// expect-text: the second one there

#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    __shared__ float tile[16][17];
    const int col = blockIdx.x * 16 + threadIdx.x;
    const int row = blockIdx.y * 16 + threadIdx.y;
    const bool inside = row < rows && col < cols;
    tile[threadIdx.y][threadIdx.x] = inside ? input[row * cols + col] : 0.0f;
    if (inside) __syncthreads(); else __syncthreads();
    const int x = blockIdx.y * 16 + threadIdx.x;
    const int y = blockIdx.x * 16 + threadIdx.y;
    if (x < rows && y < cols) output[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const dim3 block(16, 16);
    const dim3 grid((cols + 15) / 16, (rows + 15) / 16);
    transpose<<<grid, block>>>(input, output, rows, cols);
}
