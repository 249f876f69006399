// The block that finishes last adds up what the others left: a fence and a counter.
#include <cstdio>

__device__ unsigned finished;

__global__ void total(const int* in, volatile int* parts, int* out, int n) {
  __shared__ int sums[128];
  __shared__ bool last;
  int sum = 0;
  for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) sum += in[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = sums[0];
    __threadfence();
    last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int all = 0;
    for (int b = 0; b < gridDim.x; ++b) all += parts[b];
    *out = all;
  }
}

int main() {
  constexpr int n = 12345;
  int *in, *parts, *out, expected = 0;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&parts, 64 * sizeof(int));
  cudaMallocManaged(&out, sizeof(int));
  for (int i = 0; i < n; ++i) expected += in[i] = i % 101;
  for (int blocks : {1, 7, 64}) {
    *out = -1;
    total<<<blocks, 128>>>(in, parts, out, n);
    cudaDeviceSynchronize();
    printf("%d: %d\n", blocks, *out - expected);
  }
  cudaFree(in);
  cudaFree(parts);
  cudaFree(out);
}
