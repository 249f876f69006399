// __shfl_sync from one lane to all, from each lane's neighbour, and with source lanes outside 0 to
// 31, which wrap around.
#include <cstdio>

__global__ void shuffles(int* out) {
  int lane = threadIdx.x;
  int value = 100 + lane;
  out[lane] = __shfl_sync(0xffffffff, value, 7);
  out[32 + lane] = __shfl_sync(0xffffffff, value, lane + 1);
  out[64 + lane] = __shfl_sync(0xffffffff, value, -1);
  out[96 + lane] = __shfl_sync(0xffffffff, value, 40);
  out[128 + lane] = __shfl_sync(0xffffffff, value, 31 - lane);
}

int main() {
  int* out;
  cudaMallocManaged(&out, 160 * sizeof(int));
  shuffles<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  for (int row = 0; row < 5; ++row) {
    for (int lane = 0; lane < 32; ++lane) printf("%d ", out[32 * row + lane]);
    printf("\n");
  }
  cudaFree(out);
}
