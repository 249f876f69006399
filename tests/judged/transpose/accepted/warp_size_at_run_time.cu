// leetk: problem transpose
// leetk: expect accepted
// Means: warpSize as what it is, a variable: in arithmetic, by reference, as a default argument.

#include <cuda_runtime.h>

template <typename T>
__device__ const T& smaller(const T& a, const T& b) { return b < a ? b : a; }

__device__ int lane_of(int thread, int width = warpSize) { return thread % width; }

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
    const int step = smaller(warpSize, 64);
    for (int x = lane_of(threadIdx.x); x < cols; x += step) {
        if (warp < rows) output[x * rows + warp] = input[warp * cols + x];
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const int threads = 128;
    transpose<<<(rows * 32 + threads - 1) / threads, threads>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
