// Names of CUDA's variables and functions, used for a program's own.
#include <cstdio>

struct Launch {
  int gridDim, blockDim;
  __device__ int threads() const { return gridDim * blockDim; }
};

namespace mine {
__device__ int min(int a, int b) { return a < b ? a * 100 : b * 100; }
__device__ float rsqrtf(float x) { return x + 1; }
}  // namespace mine

__device__ int width(int blockDim) { return blockDim * 3; }

__global__ void names(int* out) {
  unsigned i = threadIdx.x;
  Launch launch = {3, 5};
  int sum = launch.threads() + width(7) + blockDim.x;
  {
    int blockDim = 1000, gridDim = 2000;
    sum += blockDim + gridDim;
  }
  for (int warpSize = 0; warpSize < 2; ++warpSize) sum += warpSize;
  auto threadIdx = [](int x) { return x * 10000; };
  sum += threadIdx(2) + mine::min(4, 9) + (int)mine::rsqrtf(8);
  int index = 5, tile = 6, block = 7, y1 = 8;
  out[i] = sum + index + tile + block + y1 + i;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 4 * sizeof(int));
  names<<<1, 4>>>(out);
  cudaDeviceSynchronize();
  printf("%d %d\n", out[0], out[3]);
  cudaFree(out);
}
