// Tiles of several warps: they synchronise, vote, shuffle and reduce.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void tiles(int* out) {
  __shared__ cg::block_tile_memory<256> memory;
  auto block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<64>(block);
  auto large = cg::tiled_partition<128>(block);
  __shared__ int given[256];
  int i = threadIdx.x;
  given[i] = i;
  tile.sync();
  int* mine = out + i * 7;
  mine[0] = given[i ^ 63];
  mine[1] = tile.shfl(i, 40);
  mine[2] = (tile.any(i == 70) != 0) + 10 * (tile.all(i < 128) != 0);
  mine[3] = cg::reduce(tile, i, cg::plus<int>());
  mine[4] = cg::reduce(large, i * 0.5f, cg::plus<float>());
  mine[5] = cg::inclusive_scan(large, 1, cg::plus<int>());
  mine[6] = tile.meta_group_rank() * 100 + large.meta_group_size() * 10 + large.meta_group_rank();
}

int main() {
  int* out;
  cudaMallocManaged(&out, 256 * 7 * sizeof(int));
  tiles<<<1, 256>>>(out);
  cudaDeviceSynchronize();
  for (int i : {0, 63, 100, 255}) {
    for (int k = 0; k < 7; ++k) printf("%d ", out[i * 7 + k]);
    printf("\n");
  }
  cudaFree(out);
}
