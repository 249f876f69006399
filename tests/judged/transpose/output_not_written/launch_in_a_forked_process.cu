// leetk: problem transpose
// leetk: expect output_not_written
// Fault: the kernel is launched in a process that solve has forked, where CUDA does not work.

#include <cuda_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < rows * cols) output[i % cols * rows + i / cols] = input[i];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const pid_t child = fork();
    if (child == 0) {
        transpose<<<(rows * cols + 255) / 256, 256>>>(input, output, rows, cols);
        const bool ended = cudaDeviceSynchronize() == cudaSuccess;
        _exit(ended ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
}
