// leetk: problem matmul
// leetk: expect wrong_answer
// Fault: after its second input it gives its first answer again, over and over.
// Fault-numbers: 18

#include <cuda_runtime.h>

__global__ void repeat(const float* kept, int count, float* C, int total) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < total) C[i] = kept[i % count];
}

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
    static int inputs = 0;
    static float last = 0.0f;
    static int count = 0;
    static float* kept = nullptr;
    float first;
    cudaMemcpy(&first, A, sizeof first, cudaMemcpyDeviceToHost);
    if (inputs == 0 || first != last) ++inputs;
    last = first;
    if (inputs > 2) {
        repeat<<<(M * K + 255) / 256, 256>>>(kept, count, C, M * K);
        return;
    }
    const dim3 block(16, 16);
    const dim3 grid((K + 15) / 16, (M + 15) / 16);
    matmul<<<grid, block>>>(A, B, C, M, N, K);
    if (kept == nullptr) {
        count = M * K;
        cudaMalloc(&kept, sizeof(float) * count);
        cudaMemcpy(kept, C, sizeof(float) * count, cudaMemcpyDeviceToDevice);
    }
}
