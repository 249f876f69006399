// A warp-synchronous reduction without __syncwarp(): right only where lanes run in step.
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    __shared__ volatile float s[64];
    int t = threadIdx.x, i = blockIdx.x;
    s[t] = t == 0 ? input[i] : float(t);
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 32];
        s[t] += s[t + 16];  // race
    }
    __syncthreads();
    if (t == 0) output[i % cols * rows + i / cols] = s[0];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<rows * cols, 64>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
