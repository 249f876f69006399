// Parts of a warp in different branches, each with its own mask; then the whole warp again.
#include <cstdio>

__global__ void parts(int* out) {
  int lane = threadIdx.x;
  int sum = lane;
  if (lane < 8) {
    for (int by = 4; by > 0; by /= 2) sum += __shfl_xor_sync(0x000000ff, sum, by);
  } else if (lane < 24) {
    for (int by = 4; by > 0; by /= 2) sum += __shfl_xor_sync(0x00ffff00, sum, by);
    sum += __shfl_sync(0x00ffff00, sum, lane < 16 ? lane + 8 : lane - 8);
  } else {
    sum = __shfl_sync(0xff000000, sum, 31);
  }
  out[lane] = sum;
  out[32 + lane] = __shfl_down_sync(0xffffffff, sum, 1);
}

int main() {
  int* out;
  cudaMallocManaged(&out, 64 * sizeof(int));
  parts<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  for (int row = 0; row < 2; ++row) {
    for (int lane = 0; lane < 32; ++lane) printf("%d ", out[32 * row + lane]);
    printf("\n");
  }
  cudaFree(out);
}
