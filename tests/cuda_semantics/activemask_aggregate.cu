// Atomics of the lanes that happen to be together, done by one of them: right however many there
// are.
#include <cstdio>

__device__ int next(int* counter) {
  unsigned together = __activemask();
  int lane = threadIdx.x % 32;
  int leader = __ffs(together) - 1;
  int first = 0;
  if (lane == leader) first = atomicAdd(counter, __popc(together));
  first = __shfl_sync(together, first, leader);
  return first + __popc(together & ((1u << lane) - 1));
}

__global__ void filter(const int* in, int* out, int* counter, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 3 != 0) {
    int place = next(counter);
    out[place] = in[i];
  }
}

int main() {
  constexpr int n = 1000;
  int *in, *out, *counter;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  cudaMallocManaged(&counter, sizeof(int));
  long long expected = 0, sum = 0;
  int kept = 0;
  for (int i = 0; i < n; ++i) {
    in[i] = i * 17 % 1009;
    if (in[i] % 3 != 0) expected += (long long)in[i] * in[i], ++kept;
  }
  *counter = 0;
  filter<<<4, 256>>>(in, out, counter, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < *counter; ++i) sum += (long long)out[i] * out[i];
  printf("%d %d %lld\n", *counter, *counter - kept, sum - expected);
  cudaFree(in);
  cudaFree(out);
  cudaFree(counter);
}
