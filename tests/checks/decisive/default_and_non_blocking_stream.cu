// A kernel reads what another one writes in the default stream, for which a non-blocking stream
// doesn't wait.
#include <cuda_runtime.h>

__global__ void copy(const float* from, float* to, int count) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < count) to[i] = from[i];
}

__global__ void transpose(const float* from, float* to, int rows, int cols) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < rows * cols) to[i % cols * rows + i / cols] = from[i];  // decides
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const int count = rows * cols;
    float* scratch;
    cudaMalloc(&scratch, count * sizeof(float));
    cudaStream_t first, second;
    cudaStreamCreate(&first);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEvent_t done;
    cudaEventCreate(&done);
    copy<<<(count + 63) / 64, 64>>>(input, scratch, count);
    cudaEventRecord(done, second);
    cudaStreamWaitEvent(second, done, 0);
    transpose<<<(count + 63) / 64, 64, 0, second>>>(scratch, output, rows, cols);
    cudaDeviceSynchronize();
    cudaFree(scratch);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaEventDestroy(done);
}
