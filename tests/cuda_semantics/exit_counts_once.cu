// A thread that adds to a counter and returns before two barriers counts once.
#include <cstdio>

__global__ void leave(int* counter, int* out) {
  int i = threadIdx.x;
  atomicAdd(counter, 1);
  if (i % 4 == 3) return;
  __syncthreads();
  if (i % 4 == 2) {
    atomicAdd(counter, 1000);
    return;
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + i] = 1;
}

int main() {
  int *counter, *out, passed = 0;
  cudaMallocManaged(&counter, sizeof(int));
  cudaMallocManaged(&out, 400 * sizeof(int));
  for (int i = 0; i < 400; ++i) out[i] = 0;
  *counter = 0;
  leave<<<4, 100>>>(counter, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 400; ++i) passed += out[i];
  printf("%d %d\n", *counter, passed);
  cudaFree(counter);
  cudaFree(out);
}
