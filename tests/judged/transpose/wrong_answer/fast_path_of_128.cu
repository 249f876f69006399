// leetk: problem transpose
// leetk: expect wrong_answer
// Fault-numbers: 20
// Fault: a fast path for whole tiles of 128 forgets to exchange the indices.
#include <cuda_runtime.h>

__global__ void whole_tiles(const float* in, float* out, int rows, int cols) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    out[y * rows + x] = in[y * cols + x];
}

__global__ void any_size(const float* in, float* out, int rows, int cols) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    dim3 block(16, 16), grid((cols + 15) / 16, (rows + 15) / 16);
    if (rows % 128 == 0 && cols % 128 == 0 && rows == cols)
        whole_tiles<<<grid, block>>>(input, output, rows, cols);
    else
        any_size<<<grid, block>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
