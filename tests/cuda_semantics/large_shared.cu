// More than 48 KiB of dynamic shared memory, once the kernel has asked for it.
#include <cstdio>

__global__ void reverse(int* data, int n) {
  extern __shared__ int values[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] = data[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] = values[n - 1 - i];
}

static void run(int* data, int n) {
  for (int i = 0; i < n; ++i) data[i] = i;
  reverse<<<1, 256, n * sizeof(int)>>>(data, n);
  cudaError_t error = cudaGetLastError();
  cudaDeviceSynchronize();
  printf("%d: %s, %d %d\n", n, cudaGetErrorName(error), data[0], data[n - 1]);
}

int main() {
  int* data;
  cudaMallocManaged(&data, 60000 * sizeof(int));
  run(data, 12288);
  run(data, 12289);
  printf("%s\n", cudaGetErrorName(cudaFuncSetAttribute(
                     reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024)));
  run(data, 25600);
  run(data, 25601);
  printf("%s\n", cudaGetErrorName(cudaFuncSetAttribute(
                     reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024)));
  run(data, 58112);
  printf("%s\n", cudaGetErrorName(cudaFuncSetAttribute(
                     reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 228 * 1024)));
  cudaFree(data);
}
