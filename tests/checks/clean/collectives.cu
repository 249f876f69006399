// CUB's collectives, twice on one TempStorage with a barrier between.
#include <cuda_runtime.h>

#include <cub/cub.cuh>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    using Scan = cub::BlockScan<int, 64>;
    __shared__ typename Scan::TempStorage storage;
    int i = blockIdx.x * 64 + threadIdx.x, before, again;
    Scan(storage).ExclusiveSum(1, before);
    __syncthreads();
    Scan(storage).ExclusiveSum(1, again);
    int at = blockIdx.x * 64 + before;
    if (i < rows * cols && before == again) output[at % cols * rows + at / cols] = input[at];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
