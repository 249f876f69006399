// An inclusive scan of a warp by __shfl_up_sync, of several warps in several blocks.
#include <cstdio>

__global__ void scan(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int sum = in[i];
  for (int by = 1; by < 32; by *= 2) {
    int other = __shfl_up_sync(0xffffffff, sum, by);
    if (lane >= by) sum += other;
  }
  out[i] = sum;
}

int main() {
  constexpr int n = 3 * 96;
  int *in, *out;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  for (int i = 0; i < n; ++i) in[i] = i * 7 % 11 - 3;
  scan<<<3, 96>>>(in, out);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0, sum = 0; i < n; ++i) {
    sum = (i % 32 ? sum : 0) + in[i];
    wrong += out[i] != sum;
  }
  printf("%d wrong; %d %d %d\n", wrong, out[31], out[63], out[n - 1]);
  cudaFree(in);
  cudaFree(out);
}
