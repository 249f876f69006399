// leetk: problem transpose
// leetk: expect nondeterministic
// judged-on: cpu
// expect-text: they take no part in what follows (thread (3, 0, 0) of block (0, 0, 0));
// Fault: the guard's braces hold the barrier, too, so threads outside the matrix never come to it and
// read the tile before the others have written it.

#include <cuda_runtime.h>

constexpr int TILE = 32;

__global__ void turn(const float* input, float* output, int rows, int cols) {
    __shared__ float tile[TILE][TILE + 1];
    const int c = blockIdx.x * TILE + threadIdx.x, r = blockIdx.y * TILE + threadIdx.y;
    if (r < rows && c < cols) {
        tile[threadIdx.y][threadIdx.x] = input[r * cols + c];
        __syncthreads();
    }
    const int x = blockIdx.y * TILE + threadIdx.x, y = blockIdx.x * TILE + threadIdx.y;
    if (x < rows && y < cols) output[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const dim3 block(TILE, TILE), grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    turn<<<grid, block>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
