// A scan over blocks in one pass: each block takes a ticket and waits for the sum of the one
// before.
#include <cstdio>

__device__ unsigned tickets;

__global__ void scan(const int* in, int* out, int* sums, int* ready, int n) {
  __shared__ int part[128];
  __shared__ unsigned block;
  __shared__ int before;
  if (threadIdx.x == 0) block = atomicAdd(&tickets, 1);
  __syncthreads();
  int i = block * 128 + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int by = 1; by < 128; by *= 2) {
    int other = threadIdx.x >= by ? part[threadIdx.x - by] : 0;
    __syncthreads();
    part[threadIdx.x] += other;
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    before = 0;
    if (block > 0) {
      while (atomicAdd(&ready[block - 1], 0) == 0) __nanosleep(20);
      before = atomicAdd(&sums[block - 1], 0);
    }
    atomicExch(&sums[block], before + part[127]);
    __threadfence();
    atomicExch(&ready[block], 1);
  }
  __syncthreads();
  if (i < n) out[i] = before + part[threadIdx.x];
}

int main() {
  constexpr int n = 20000, blocks = (n + 127) / 128;
  int *in, *out, *sums, *ready;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  cudaMallocManaged(&sums, blocks * sizeof(int));
  cudaMallocManaged(&ready, blocks * sizeof(int));
  for (int i = 0; i < n; ++i) in[i] = i % 9 - 3;
  for (int i = 0; i < blocks; ++i) ready[i] = 0;
  scan<<<blocks, 128>>>(in, out, sums, ready, n);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0, sum = 0; i < n; ++i) wrong += out[i] != (sum += in[i]);
  printf("%d wrong, last %d\n", wrong, out[n - 1]);
  cudaFree(in);
  cudaFree(out);
  cudaFree(sums);
  cudaFree(ready);
}
