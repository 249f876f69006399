// leetk: problem matmul
// leetk: expect accepted
// Means: allocates, clears, copies in each direction and frees; each result is checked.

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define CHECK(call)                                                            \
    do {                                                                       \
        const cudaError_t status = (call);                                     \
        if (status != cudaSuccess) {                                           \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,            \
                         cudaGetErrorString(status));                          \
            std::exit(1);                                                      \
        }                                                                      \
    } while (0)

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
    const size_t in_bytes = sizeof(float) * M * N;
    const size_t out_bytes = sizeof(float) * M * K;
    float* a = nullptr;
    float* c = nullptr;
    CHECK(cudaMalloc(&a, in_bytes));
    CHECK(cudaMalloc(reinterpret_cast<void**>(&c), out_bytes));
    CHECK(cudaMemset(c, 0, out_bytes));

    std::vector<float> host(static_cast<size_t>(M) * N);
    CHECK(cudaMemcpy(host.data(), A, in_bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(a, host.data(), in_bytes, cudaMemcpyHostToDevice));

    const dim3 block(16, 16);
    const dim3 grid((K + 15) / 16, (M + 15) / 16);
    matmul<<<grid, block>>>(a, B, c, M, N, K);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(C, c, out_bytes, cudaMemcpyDeviceToDevice));
    CHECK(cudaFree(a));
    CHECK(cudaFree(c));
}
