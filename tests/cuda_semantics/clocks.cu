// clock64, __nanosleep and fences: time goes on within a thread.
#include <cstdio>

__global__ void times(int* out) {
  long long begin = clock64();
  clock_t short_begin = clock();
  __nanosleep(100);
  __threadfence();
  __threadfence_block();
  __threadfence_system();
  long long end = clock64();
  out[threadIdx.x] = end > begin && clock() != short_begin;
}

int main() {
  int *out, sum = 0;
  cudaMallocManaged(&out, 64 * sizeof(int));
  times<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i) sum += out[i];
  printf("%d\n", sum);
  cudaFree(out);
}
