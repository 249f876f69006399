// Threads of one warp read, four floats at a time, what those of another have left in shared memory.
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    __shared__ __align__(16) float part[256];
    const int begin = blockIdx.x * 256, count = min(256, rows * cols - begin), t = threadIdx.x;
    if (t < count) part[t] = input[begin + t];
    if (t >= 128 && t < 192) {
        const float4 four = *reinterpret_cast<float4*>(&part[4 * (t - 128)]);  // decides
        const float values[4] = {four.x, four.y, four.z, four.w};
        for (int k = 0; k < 4; ++k) {
            const int i = begin + 4 * (t - 128) + k;
            if (i < begin + count && i < begin + 128) output[i % cols * rows + i / cols] = values[k];
        }
    }
    __syncthreads();
    if (t >= 128 && t < count) output[(begin + t) % cols * rows + (begin + t) / cols] = part[t];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<(rows * cols + 255) / 256, 256>>>(input, output, rows, cols);
}
