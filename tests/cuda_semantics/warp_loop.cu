// A loop that lanes run a different number of times, with the mask of those still in it.
#include <cstdio>

__global__ void loops(int* out) {
  int lane = threadIdx.x;
  int left = lane * 7 % 11;
  int rounds = 0, met = 0;
  unsigned mask = __ballot_sync(0xffffffff, left > 0);
  while (left > 0) {
    met += __popc(mask);
    rounds += __shfl_sync(mask, left, __ffs(mask) - 1) > 0;
    --left;
    mask = __ballot_sync(mask, left > 0);
  }
  out[lane] = rounds;
  out[32 + lane] = met;
  out[64 + lane] = __shfl_xor_sync(0xffffffff, met, 1);
}

int main() {
  int* out;
  cudaMallocManaged(&out, 96 * sizeof(int));
  loops<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  for (int row = 0; row < 3; ++row) {
    for (int lane = 0; lane < 32; ++lane) printf("%d ", out[32 * row + lane]);
    printf("\n");
  }
  cudaFree(out);
}
