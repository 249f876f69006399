// Two blocks add to each element: an atomic reads it, another one puts the sum there.
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= rows * cols) return;
    float half = 0.5f * input[i];
    float* place = output + i % cols * rows + i / cols;
    float now = atomicAdd(place, 0.0f);
    atomicExch(place, now + half);  // race
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    cudaMemset(output, 0, rows * cols * sizeof(float));
    transpose<<<dim3((rows * cols + 63) / 64, 2), 64>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
