// Lanes that meet at different __syncwarp calls, with one mask.
#include <cstdio>

__global__ void meet(int* out) {
  __shared__ int given[32];
  int lane = threadIdx.x;
  if (lane % 2) {
    given[lane] = 10 * lane;
    __syncwarp();
    out[lane] = given[lane - 1];
  } else {
    given[lane] = lane;
    __syncwarp();
    out[lane] = given[lane + 1];
  }
}

int main() {
  int* out;
  cudaMallocManaged(&out, 32 * sizeof(int));
  meet<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; ++i) printf("%d ", out[i]);
  printf("\n");
  cudaFree(out);
}
