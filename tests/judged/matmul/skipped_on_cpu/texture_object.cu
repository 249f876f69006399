// leetk: problem matmul
// leetk: expect accepted, skipped
// Means: reads A through a texture object: skipped on the cpu backend by name and line, accepted on
//        a GPU.
// expect-text: texture

#include <cuda_runtime.h>

__global__ void matmul(cudaTextureObject_t A, const float* B, float* C,
                       int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= K) return;
    float sum = 0.0f;
    for (int n = 0; n < N; ++n) {
        sum = fmaf(tex1Dfetch<float>(A, row * N + n), B[n * K + col], sum);
    }
    C[row * K + col] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = const_cast<float*>(A);
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = sizeof(float) * M * N;
    cudaTextureDesc description = {};
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);

    const dim3 block(16, 16);
    const dim3 grid((K + 15) / 16, (M + 15) / 16);
    matmul<<<grid, block>>>(texture, B, C, M, N, K);
    cudaDeviceSynchronize();
    cudaDestroyTextureObject(texture);
}
