// Butterflies: all lanes get the sum, the largest and the smallest, and the pattern of the partners
// of each step.
#include <cstdio>

__global__ void trees(int* out) {
  int lane = threadIdx.x;
  int value = (lane * 37 + 11) % 64;
  int sum = value, most = value, least = value, path = 0;
  for (int by = 1; by < 32; by *= 2) {
    sum += __shfl_xor_sync(0xffffffff, sum, by);
    most = max(most, __shfl_xor_sync(0xffffffff, most, by));
    least = min(least, __shfl_xor_sync(0xffffffff, least, by));
    path = path * 3 + __shfl_xor_sync(0xffffffff, lane, by);
  }
  out[lane] = sum;
  out[32 + lane] = most;
  out[64 + lane] = least;
  out[96 + lane] = path;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 128 * sizeof(int));
  trees<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  for (int lane : {0, 1, 13, 31}) {
    printf("lane %d: %d %d %d %d\n", lane, out[lane], out[32 + lane], out[64 + lane],
           out[96 + lane]);
  }
  cudaFree(out);
}
