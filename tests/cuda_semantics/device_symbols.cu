// __device__ and __constant__ variables by their symbols: copies in parts, addresses and sizes, and
// a kernel that gets such an address.
#include <cstdio>

__constant__ float weights[8] = {1, 1, 1, 1, 1, 1, 1, 1};
__device__ int state[6];
static __device__ double single = 2.5;

__global__ void use(int* where, float* out) {
  int i = threadIdx.x;
  if (i < 6) where[i] += i;
  out[i] = weights[i] * single;
}

int main() {
  float *out, given[3] = {5, 6, 7};
  int values[6] = {10, 20, 30, 40, 50, 60}, back[6];
  cudaMallocManaged(&out, 8 * sizeof(float));
  cudaMemcpyToSymbol(weights, given, sizeof given, 2 * sizeof(float));
  cudaMemcpyToSymbol(state, values, sizeof values, 0, cudaMemcpyHostToDevice);
  int* where;
  size_t bytes;
  cudaGetSymbolAddress((void**)&where, state);
  cudaGetSymbolSize(&bytes, weights);
  use<<<1, 8>>>(where, out);
  cudaMemcpyFromSymbol(back, state, 4 * sizeof(int), 2 * sizeof(int));
  cudaMemcpy(back + 4, where, 2 * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 6; ++i) printf("%d ", back[i]);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; ++i) printf("%g ", out[i]);
  printf("%zu %s\n", bytes, cudaGetErrorName(cudaGetLastError()));
  cudaFree(out);
}
