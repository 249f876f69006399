// Tiles of tiles: where each lies among those of its parent.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__device__ unsigned place(const cg::thread_block_tile<4>& tile) {
  return tile.meta_group_rank() * 10 + tile.meta_group_size();
}

__global__ void nested(unsigned* out) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto tile = cg::tiled_partition<16>(warp);
  auto quad = cg::tiled_partition<4>(tile);
  unsigned i = block.thread_rank();
  out[i * 4] = warp.meta_group_rank() * 100 + warp.meta_group_size();
  out[i * 4 + 1] = tile.meta_group_rank() * 100 + tile.meta_group_size();
  out[i * 4 + 2] = place(quad);
  out[i * 4 + 3] = quad.thread_rank() * 1000 + tile.thread_rank() + quad.shfl(i, 0) * 10000;
}

int main() {
  unsigned* out;
  cudaMallocManaged(&out, 384 * sizeof(unsigned));
  nested<<<1, 96>>>(out);
  cudaDeviceSynchronize();
  for (int i : {0, 5, 31, 50, 95}) {
    for (int k = 0; k < 4; ++k) printf("%u ", out[i * 4 + k]);
    printf("\n");
  }
  cudaFree(out);
}
