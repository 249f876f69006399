// Threads that return before a barrier: the others go on without them, and what they did before
// counts once.
#include <cstdio>

__global__ void count(int* count, int* passed, int limit) {
  __shared__ int first;
  atomicAdd(count, 1);
  if ((int)threadIdx.x >= limit) return;
  if (threadIdx.x == 0) first = 100;
  __syncthreads();
  atomicAdd(passed, first);
  __syncthreads();
  if (threadIdx.x == 0) first = 1000;
  __syncthreads();
  atomicAdd(passed, first);
}

int main() {
  int *counts, host[2];
  cudaMalloc(&counts, sizeof host);
  for (int limit : {128, 100, 33, 1, 0}) {
    cudaMemset(counts, 0, sizeof host);
    count<<<3, 128>>>(counts, counts + 1, limit);
    cudaMemcpy(host, counts, sizeof host, cudaMemcpyDeviceToHost);
    printf("limit %d: %d threads, %d passed\n", limit, host[0], host[1]);
  }
  cudaFree(counts);
}
