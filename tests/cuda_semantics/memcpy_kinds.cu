// Copies of every kind, with offsets, and cudaMemset.
#include <cstdio>

__global__ void add(int* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += 1;
}

int main() {
  constexpr int n = 1000;
  static int host[n], back[n];
  for (int i = 0; i < n; ++i) host[i] = i;
  int *one, *two;
  cudaMalloc((void**)&one, sizeof host);
  cudaMalloc(&two, sizeof host);
  cudaMemcpy(one, host, sizeof host, cudaMemcpyHostToDevice);
  add<<<(n + 127) / 128, 128>>>(one, n);
  cudaMemcpy(two, one, sizeof host, cudaMemcpyDeviceToDevice);
  add<<<(n + 127) / 128, 128>>>(two, n);
  cudaMemcpy(back, two, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d %d\n", back[0], back[n - 1]);
  cudaMemcpy(two + 10, host, 5 * sizeof(int), cudaMemcpyDefault);
  cudaMemcpy(back, two + 9, 7 * sizeof(int), cudaMemcpyDefault);
  for (int i = 0; i < 7; ++i) printf("%d ", back[i]);
  cudaMemset(two, 0x01, 4 * sizeof(int));
  cudaMemset(two + 1, 0, sizeof(int));
  cudaMemcpyAsync(back, two, 5 * sizeof(int), cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
  for (int i = 0; i < 5; ++i) printf("%x ", back[i]);
  printf("\n%s\n", cudaGetErrorName(cudaGetLastError()));

  int* managed;
  cudaMallocManaged(&managed, sizeof host);
  for (int i = 0; i < n; ++i) managed[i] = 3 * i;
  add<<<(n + 127) / 128, 128>>>(managed, n);
  cudaDeviceSynchronize();
  printf("%d %d\n", managed[0], managed[n - 1]);
  int* pinned;
  cudaMallocHost(&pinned, sizeof host);
  cudaMemcpy(pinned, one, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d %d\n", pinned[0], pinned[n - 1]);
  printf("%s %s\n", cudaGetErrorName(cudaFreeHost(pinned)), cudaGetErrorName(cudaFree(managed)));
  printf("%s %s %s\n", cudaGetErrorName(cudaFree(one)), cudaGetErrorName(cudaFree(two)),
         cudaGetErrorName(cudaFree(nullptr)));
}
