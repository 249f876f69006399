// Lanes that have ended: warp operations go on without them, even if the mask names them.
#include <cstdio>

__global__ void leave(unsigned* out, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  unsigned there = __ballot_sync(0xffffffff, 1);
  int first = __shfl_sync(0xffffffff, 100 + i, 0);
  int sum = __reduce_add_sync(0xffffffff, 1);
  __syncthreads();
  int all = __all_sync(0xffffffff, i < n) != 0;
  out[i] = there;
  out[64 + i] = first + 1000 * sum + 100000 * all;
}

int main() {
  unsigned* out;
  cudaMallocManaged(&out, 128 * sizeof(unsigned));
  for (int n : {64, 40, 32, 5, 1}) {
    cudaMemset(out, 0, 128 * sizeof(unsigned));
    leave<<<1, 64>>>(out, n);
    cudaDeviceSynchronize();
    int last = n - 1;
    printf("%d: %08x %u, %08x %u\n", n, out[0], out[64], out[last], out[64 + last]);
  }
  cudaFree(out);
}
