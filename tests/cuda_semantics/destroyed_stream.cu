// Launches on streams: one's own, the default ones, and a destroyed one, which is refused.
#include <cstdio>

__global__ void add(int* out) { atomicAdd(out, 1); }

int main() {
  int* out;
  cudaMallocManaged(&out, sizeof(int));
  *out = 0;
  cudaStream_t stream, other;
  cudaStreamCreate(&stream);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  add<<<1, 1, 0, stream>>>(out);
  add<<<1, 1, 0, other>>>(out);
  cudaDeviceSynchronize();
  printf("%s %d\n", cudaGetErrorName(cudaGetLastError()), *out);
  printf("%s\n", cudaGetErrorName(cudaStreamDestroy(other)));
  add<<<1, 1, 0, other>>>(out);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  add<<<1, 1, 0, stream>>>(out);
  add<<<1, 1, 0, cudaStreamPerThread>>>(out);
  add<<<1, 1, 0, cudaStreamLegacy>>>(out);
  cudaDeviceSynchronize();
  printf("%s %d\n", cudaGetErrorName(cudaGetLastError()), *out);
  cudaFree(out);
}
