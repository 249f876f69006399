// The last error: who leaves it, who returns it, who clears it, and that it stops nothing.
#include <cstdio>

__global__ void add(int* out) { atomicAdd(out, 1); }

static void show(const char* what) {
  cudaError_t peeked = cudaPeekAtLastError();
  cudaError_t got = cudaGetLastError();
  printf("%s: %d %d %d\n", what, peeked, got, cudaGetLastError());
}

int main() {
  int* out;
  cudaMallocManaged(&out, sizeof(int));
  *out = 0;
  show("at first");
  add<<<1, 2000>>>(out);
  printf("synchronize %d\n", cudaDeviceSynchronize());
  add<<<1, 3>>>(out);
  show("after a wrong and a right launch");
  printf("malloc %d\n", cudaMalloc((void**)nullptr, 8));
  show("after a wrong argument");
  printf("memcpy %d\n", cudaMemcpy(out, nullptr, 4, cudaMemcpyDefault));
  cudaDeviceSynchronize();
  show("after a wrong copy");
  printf("%d %s: %s\n", *out, cudaGetErrorName(cudaErrorInvalidValue),
         cudaGetErrorString(cudaErrorMemoryAllocation));
  cudaFree(out);
}
