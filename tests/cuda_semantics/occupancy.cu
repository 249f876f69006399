// How many blocks fit a multiprocessor, by threads and by static and dynamic shared memory.
#include <cstdio>

__global__ void light(int* p) { *p = 1; }

template <int Ints>
__global__ void heavy(int* p) {
  __shared__ int kept[Ints];
  extern __shared__ int more[];
  kept[threadIdx.x] = p[threadIdx.x];
  more[threadIdx.x] = 2;
  __syncthreads();
  p[threadIdx.x] = kept[Ints - 1 - threadIdx.x] + more[0];
}

template <typename T>
static void show(const char* name, T kernel, int threads, size_t dynamic) {
  int blocks = -1;
  cudaError_t error =
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, dynamic);
  printf("%s %d threads, %zu bytes: %s %d\n", name, threads, dynamic, cudaGetErrorName(error),
         blocks);
}

int main() {
  for (int threads : {1, 32, 64, 96, 256, 1024}) show("light", light, threads, 0);
  show("light", light, 128, 16 * 1024);
  show("light", light, 128, 40 * 1024);
  show("8 KiB", heavy<2048>, 128, 0);
  show("8 KiB", heavy<2048>, 128, 8 * 1024);
  show("32 KiB", heavy<8192>, 128, 0);
  show("32 KiB", heavy<8192>, 128, 16 * 1024);
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, heavy<2048>);
  printf("%zu bytes of static shared memory\n", attributes.sharedSizeBytes);
}
