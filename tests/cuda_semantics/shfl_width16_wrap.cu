// __shfl_sync within segments of 16 lanes: the source lane wraps around within its own segment.
#include <cstdio>

__global__ void rotate(int* out, int by) {
  int thread = threadIdx.x;
  out[thread] = __shfl_sync(0xffffffff, thread, thread + by, 16);
}

int main() {
  int* out;
  cudaMallocManaged(&out, 64 * sizeof(int));
  for (int by : {1, 5, 16, 19, -3}) {
    rotate<<<1, 64>>>(out, by);
    cudaDeviceSynchronize();
    printf("%d:", by);
    for (int i = 0; i < 64; ++i) printf(" %d", out[i]);
    printf("\n");
  }
  cudaFree(out);
}
