// A maximum by compare and swap, and one that asks before it takes part: the first read is plain.
#include <cuda_runtime.h>

__device__ void raise(float* place, float value) {
    int* bits = (int*)place;
    int old = *bits;
    while (__int_as_float(old) < value) {
        int seen = atomicCAS(bits, old, __float_as_int(value));
        if (seen == old) break;
        old = seen;
    }
}

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    __shared__ float most;
    __shared__ int last;
    if (threadIdx.x == 0) {
        most = -1e30f;
        last = -1;
    }
    __syncthreads();
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < rows * cols) raise(&most, input[i]);
    if (i < rows * cols && (int)threadIdx.x > last) atomicMax(&last, (int)threadIdx.x);
    __syncthreads();
    if ((int)threadIdx.x <= last && input[i] <= most) {
        output[i % cols * rows + i / cols] = input[i];
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
