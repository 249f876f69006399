// __syncthreads_count, __syncthreads_and and __syncthreads_or, among live threads.
#include <cstdio>

__global__ void votes(int* out, int limit) {
  int i = threadIdx.x;
  if (i >= limit) return;
  int count = __syncthreads_count(i % 3 == 0);
  int all = __syncthreads_and(i < 40);
  int any = __syncthreads_or(i == 39 ? 5 : 0);
  int none = __syncthreads_count(0);
  out[i] = count * 1000 + (all != 0) * 100 + (any != 0) * 10 + none;
}

int main() {
  int *out, host[96];
  cudaMalloc(&out, sizeof host);
  for (int limit : {96, 40, 39, 1}) {
    cudaMemset(out, 0, sizeof host);
    votes<<<1, 96>>>(out, limit);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d: %d %d %d\n", limit, host[0], host[limit - 1], host[95]);
  }
  cudaFree(out);
}
