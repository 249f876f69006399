// Four ways to order what runs in several streams, and work that needs no order.
#include <cuda_runtime.h>

__global__ void copy(const float* from, float* to, int count) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < count) to[i] = from[i];
}

__global__ void transpose(const float* from, float* to, int rows, int cols, int begin, int end) {
    const int i = begin + blockIdx.x * 64 + threadIdx.x;
    if (i < end) to[i % cols * rows + i / cols] = from[i];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const int count = rows * cols, blocks = (count + 63) / 64, middle = count / 2;
    float *one, *two;
    cudaMalloc(&one, count * sizeof(float));
    cudaMalloc(&two, count * sizeof(float));
    cudaStream_t blocking, free_one, free_two;
    cudaStreamCreate(&blocking);
    cudaStreamCreateWithFlags(&free_one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&free_two, cudaStreamNonBlocking);
    cudaEvent_t done;
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);

    copy<<<blocks, 64, 0, blocking>>>(input, one, count);
    copy<<<blocks, 64>>>(one, two, count);                 // the default stream waits for it
    copy<<<blocks, 64, 0, blocking>>>(two, one, count);    // and is waited for
    cudaEventRecord(done, blocking);
    cudaStreamWaitEvent(free_one, done, 0);
    copy<<<blocks, 64, 0, free_one>>>(one, two, count);
    cudaStreamSynchronize(free_one);                       // the host waits
    transpose<<<blocks, 64, 0, free_two>>>(two, output, rows, cols, 0, middle);
    transpose<<<blocks, 64, 0, blocking>>>(two, output, rows, cols, middle, count);
    cudaStreamDestroy(free_one);
    cudaStreamDestroy(free_two);
    cudaStreamDestroy(blocking);
    cudaEventDestroy(done);
    cudaFree(one);
    cudaFree(two);
}
