// leetk: problem transpose
// leetk: expect runtime_error
// Fault: the threads of a block take 100 MB from the device's heap, which has 8 MB, and don't look
// whether they got it.

#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    float* own = (float*)malloc(100000 * sizeof(float));
    own[0] = i < rows * cols ? input[i] : 0.0f;
    __syncthreads();
    if (i < rows * cols) output[i % cols * rows + i / cols] = own[0];
    free(own);
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<(rows * cols + 255) / 256, 256>>>(input, output, rows, cols);
}
