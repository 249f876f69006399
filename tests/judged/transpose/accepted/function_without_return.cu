// leetk: problem transpose
// leetk: expect accepted
// Means: a device function that promises a float ends without a return; nobody uses the value.

#include <cuda_runtime.h>

__device__ float store(float* place, float value) { *place = value; }

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < cols && y < rows) store(&output[x * rows + y], input[y * cols + x]);
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    dim3 block(16, 16), grid((cols + 15) / 16, (rows + 15) / 16);
    transpose<<<grid, block>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
