// coalesced_threads in a branch: whichever lanes it holds, they count what passed the branch.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void filter(const int* in, int* out, int* counter) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] > 50) {
    cg::coalesced_group active = cg::coalesced_threads();
    int first = 0;
    if (active.thread_rank() == 0) first = atomicAdd(counter, active.size());
    first = active.shfl(first, 0);
    out[first + active.thread_rank()] = in[i];
    int others = active.size() - 1 - __popc(active.ballot(active.thread_rank() == 0) & ~1u);
    if (active.any(in[i] <= 50) || !active.all(others < 32)) atomicAdd(counter, 1000000);
  }
}

int main() {
  constexpr int n = 512;
  int *in, *out, *counter, kept = 0;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  cudaMallocManaged(&counter, sizeof(int));
  long long expected = 0, sum = 0;
  for (int i = 0; i < n; ++i) {
    in[i] = i * 53 % 101;
    if (in[i] > 50) expected += in[i] * in[i], ++kept;
  }
  *counter = 0;
  filter<<<4, 128>>>(in, out, counter);
  cudaDeviceSynchronize();
  for (int i = 0; i < *counter; ++i) sum += out[i] * out[i];
  printf("%d %d %lld\n", *counter, *counter - kept, sum - expected);
  cudaFree(in);
  cudaFree(out);
  cudaFree(counter);
}
