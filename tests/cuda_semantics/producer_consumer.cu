// Two warps hand over through a ring of flags that both poll: thousands of times, and no other call.
#include <cstdio>

constexpr int slots = 4;

__global__ void pass_on(const int* in, long long* out, int rounds) {
  __shared__ int ring[slots][32];
  __shared__ volatile int full[slots];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x < slots) full[threadIdx.x] = 0;
  __syncthreads();
  long long sum = 0;
  for (int round = 0; round < rounds; ++round) {
    const int slot = round % slots;
    if (warp == 0) {
      while (full[slot]) {}
      __threadfence_block();
      __syncwarp();
      ring[slot][lane] = in[round * 32 + lane];
      __threadfence_block();
      __syncwarp();
      if (lane == 0) full[slot] = 1;
    } else {
      while (!full[slot]);
      __threadfence_block();
      __syncwarp();
      sum += ring[slot][lane];
      __threadfence_block();
      __syncwarp();
      if (lane == 0) full[slot] = 0;
    }
    __syncwarp();
  }
  if (warp == 1) atomicAdd((unsigned long long*)out, (unsigned long long)sum);
}

int main() {
  constexpr int rounds = 1500, n = rounds * 32;
  int* in;
  long long *out, expected = 0;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, sizeof(long long));
  *out = 0;
  for (int i = 0; i < n; ++i) expected += in[i] = i % 1009;
  pass_on<<<1, 64>>>(in, out, rounds);
  cudaDeviceSynchronize();
  printf("%lld too much\n", *out - expected);
  cudaFree(in);
  cudaFree(out);
}
