// Tiles of every size within a warp: ranks, and a reduction by shfl_down in each.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

template <unsigned Size>
__global__ void tiles(int* out) {
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  int sum = threadIdx.x;
  for (int by = tile.size() / 2; by > 0; by /= 2) sum += tile.shfl_down(sum, by);
  tile.sync();
  if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = sum * 1000 + tile.meta_group_size();
}

template <unsigned Size>
static void run(int* out) {
  tiles<Size><<<1, 64>>>(out);
  cudaDeviceSynchronize();
  printf("%u: %d %d %d\n", Size, out[0], out[1], out[64 / Size - 1]);
}

int main() {
  int* out;
  cudaMallocManaged(&out, 64 * sizeof(int));
  run<1>(out);
  run<2>(out);
  run<4>(out);
  run<8>(out);
  run<16>(out);
  run<32>(out);
  cudaFree(out);
}
