// Each lane chooses its own source: a permutation, a gather with repetitions, and different
// distances in shuffles up and down.
#include <cstdio>

__global__ void gathers(int* out) {
  int lane = threadIdx.x;
  int value = lane * lane;
  out[lane] = __shfl_sync(0xffffffff, value, lane * 13 % 32);
  out[32 + lane] = __shfl_sync(0xffffffff, value, lane / 4);
  out[64 + lane] = __shfl_up_sync(0xffffffff, value, lane / 2);
  out[96 + lane] = __shfl_down_sync(0xffffffff, value, lane % 5);
  out[128 + lane] = __shfl_xor_sync(0xffffffff, value, lane % 8);
}

int main() {
  int* out;
  cudaMallocManaged(&out, 160 * sizeof(int));
  gathers<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  for (int row = 0; row < 5; ++row) {
    for (int lane = 0; lane < 32; ++lane) printf("%d ", out[32 * row + lane]);
    printf("\n");
  }
  cudaFree(out);
}
