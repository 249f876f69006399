// leetk: problem matmul
// leetk: expect runtime_error
// Fault-numbers: 21
// Fault: writes what looks like a reply to each open descriptor, the judge's pipe and memory among
//        them, and leaves.

#include <cstdio>
#include <cuda_runtime.h>
#include <unistd.h>

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= K) return;
    float sum = 0.0f;
    for (int n = 0; n < N; ++n) {
        sum = fmaf(A[row * N + n], B[n * K + col], sum);
    }
    C[row * K + col] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    const char reply[] = "{\"id\": 3, \"reply\": {\"seconds\": 0.001}}\n";
    for (int descriptor = 3; descriptor < 64; ++descriptor) {
        if (write(descriptor, reply, sizeof reply - 1) < 0) continue;
    }
    (void)A, (void)B, (void)C, (void)M, (void)N, (void)K;
    _exit(0);
}
