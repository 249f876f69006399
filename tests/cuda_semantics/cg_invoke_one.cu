// One member does the work, and all get its result.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void work(int* out, int* counter) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cg::invoke_one(tile, [&] { atomicAdd(counter, 1); });
  int base = cg::invoke_one_broadcast(tile, [&](int by) { return atomicAdd(counter + 1, by); }, 16);
  out[base + tile.thread_rank()] = i / 16;
}

int main() {
  int *out, *counter;
  cudaMallocManaged(&out, 192 * sizeof(int));
  cudaMallocManaged(&counter, 2 * sizeof(int));
  counter[0] = counter[1] = 0;
  work<<<3, 64>>>(out, counter);
  cudaDeviceSynchronize();
  int sum = 0, uneven = 0;
  for (int i = 0; i < 192; ++i) {
    sum += out[i];
    uneven += out[i] != out[i / 16 * 16];
  }
  printf("%d %d %d %d\n", counter[0], counter[1], sum, uneven);
  cudaFree(out);
  cudaFree(counter);
}
