// A block whose last warp is not full: the lanes that aren't there don't count, even if a mask
// names them.
#include <cstdio>

__global__ void partial(unsigned* out) {
  int i = threadIdx.x;
  out[i] = __ballot_sync(0xffffffff, 1);
  unsigned sum = 0;
  for (int by = 0; by < 16; ++by) sum += __shfl_sync(0xffffffff, i, by);
  out[64 + i] = sum;
  out[128 + i] = __any_sync(0xffffffff, i == 47) != 0;
  __syncwarp();
}

int main() {
  unsigned* out;
  cudaMallocManaged(&out, 192 * sizeof(unsigned));
  partial<<<1, 48>>>(out);
  cudaDeviceSynchronize();
  for (int i : {0, 31, 32, 47}) {
    printf("%d: %08x %u %u\n", i, out[i], out[64 + i], out[128 + i]);
  }
  cudaFree(out);
}
