// threadIdx, blockIdx, blockDim and gridDim in one to three dimensions, all forms of dim3.
#include <cstdio>

__global__ void index(unsigned* out) {
  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  out[block * threads + thread] = threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z +
                                  1000 * blockIdx.x + 10000 * blockIdx.y + 100000 * blockIdx.z;
}

static void show(const char* name, unsigned* out, int n) {
  static unsigned host[4096];
  cudaMemcpy(host, out, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
  unsigned long long sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * 31 + host[i];
  printf("%s: last %u, hash %llu\n", name, host[n - 1], sum);
  cudaMemset(out, 0, n * sizeof(unsigned));
}

int main() {
  unsigned* out;
  cudaMalloc(&out, 4096 * sizeof(unsigned));
  index<<<3, 5>>>(out);
  show("int", out, 15);
  dim3 block(4, 3);
  dim3 grid = 2;
  grid.y = 5;
  index<<<grid, block>>>(out);
  show("two dimensions", out, 2 * 5 * 12);
  index<<<dim3(2, 3, 4), dim3(5, 2, 3)>>>(out);
  show("three dimensions", out, 24 * 30);
  index<<<{2, 2}, {3, 3, 3}>>>(out);
  show("braces", out, 4 * 27);
  size_t wide = 7;
  index<<<wide, 2u>>>(out);
  show("size_t", out, 14);
  uint3 three = make_uint3(1, 2, 1);
  index<<<three, dim3{1, 1, 64}>>>(out);
  show("uint3", out, 128);
  printf("warpSize %d\n", 32);
  cudaFree(out);
}
