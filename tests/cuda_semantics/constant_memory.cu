// Constant memory: structs, arrays with an index that differs from thread to thread, pointers into
// it, and a change between launches.
#include <cstdio>

struct Settings {
  int sizes[3];
  float scale;
  char name[8];
};

__constant__ Settings settings = {{4, 5, 6}, 0.25f, "first"};
__constant__ int permutation[16];
__constant__ int table[2][3] = {{1, 2, 3}, {4, 5, 6}};

__device__ int sum(const int* p, int n) {
  int total = 0;
  for (int i = 0; i < n; ++i) total += p[i];
  return total;
}

__global__ void use(float* out) {
  int i = threadIdx.x;
  const int* row = table[i % 2];
  out[i] = permutation[i] + settings.scale * settings.sizes[i % 3] + settings.name[i % 5] * 100 +
           sum(row, 3) * 100000;
}

int main() {
  float* out;
  int order[16];
  cudaMallocManaged(&out, 16 * sizeof(float));
  for (int i = 0; i < 16; ++i) order[i] = i * 7 % 16;
  cudaMemcpyToSymbol(permutation, order, sizeof order);
  use<<<1, 16>>>(out);
  cudaDeviceSynchronize();
  printf("%.9g %.9g %.9g\n", out[0], out[5], out[15]);
  Settings other = {{1, 2, 3}, 0.5f, "other"};
  cudaMemcpyToSymbol(settings, &other, sizeof other);
  use<<<1, 16>>>(out);
  cudaDeviceSynchronize();
  printf("%.9g %.9g %.9g\n", out[0], out[5], out[15]);
  cudaFree(out);
}
