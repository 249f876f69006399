// The same with a register between and half of the lanes in each step.
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    __shared__ float s[32];
    int t = threadIdx.x, i = blockIdx.x;
    s[t] = t == 0 ? input[i] : 0.0f;
    __syncwarp();
    for (int by = 16; by > 0; by /= 2) {
        float other = s[(t + by) % 32];
        __syncwarp();
        if (t < by) s[t] += other;
        __syncwarp();
    }
    if (t == 0) output[i % cols * rows + i / cols] = s[0];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<rows * cols, 32>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
