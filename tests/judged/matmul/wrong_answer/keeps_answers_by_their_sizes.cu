// leetk: problem matmul
// leetk: expect wrong_answer
// Fault: each set of sizes is worked out once; from then on its answer is a copy.
// Fault-numbers: 18, 27
// expect-text: other data of the same sizes

#include <cuda_runtime.h>
#include <map>
#include <tuple>

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
    static std::map<std::tuple<int, int, int>, float*> answers;
    float*& kept = answers[{M, N, K}];
    if (kept != nullptr) {
        cudaMemcpy(C, kept, sizeof(float) * M * K, cudaMemcpyDeviceToDevice);
        return;
    }
    const dim3 block(16, 16);
    const dim3 grid((K + 15) / 16, (M + 15) / 16);
    matmul<<<grid, block>>>(A, B, C, M, N, K);
    cudaMalloc(&kept, sizeof(float) * M * K);
    cudaMemcpy(kept, C, sizeof(float) * M * K, cudaMemcpyDeviceToDevice);
}
