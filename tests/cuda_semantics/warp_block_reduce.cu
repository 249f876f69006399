// The reduction of a block in two steps: shuffles within warps, shared memory between them.
#include <cstdio>

__device__ int warp_sum(int value) {
  for (int by = 16; by > 0; by /= 2) value += __shfl_down_sync(0xffffffff, value, by);
  return value;
}

__global__ void block_sums(const int* in, int* out, int n) {
  __shared__ int sums[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    sum += in[i];
  }
  sum = warp_sum(sum);
  if (lane == 0) sums[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = lane < blockDim.x / 32 ? sums[lane] : 0;
    sum = warp_sum(sum);
    if (lane == 0) atomicAdd(out, sum);
  }
}

int main() {
  constexpr int n = 10007;
  int *in, *out, expected = 0;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, sizeof(int));
  for (int i = 0; i < n; ++i) expected += in[i] = i * 31 % 17;
  for (int threads : {32, 128, 512, 1024}) {
    *out = 0;
    block_sums<<<5, threads>>>(in, out, n);
    cudaDeviceSynchronize();
    printf("%d: %d\n", threads, *out - expected);
  }
  cudaFree(in);
  cudaFree(out);
}
