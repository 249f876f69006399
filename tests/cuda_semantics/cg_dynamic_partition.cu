// Tiles whose size is known at run time, of a block and of a tile, as plain thread groups.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void tiles(unsigned* out, int size) {
  __shared__ unsigned given[64];
  cg::thread_group tile = cg::tiled_partition(cg::this_thread_block(), size);
  given[threadIdx.x] = tile.thread_rank();
  tile.sync();
  unsigned first = threadIdx.x - tile.thread_rank();
  unsigned sum = 0;
  for (unsigned i = 0; i < tile.size(); ++i) sum += given[first + i];
  cg::thread_group half = cg::tiled_partition(tile, size > 1 ? size / 2 : 1);
  out[threadIdx.x] = sum * 10000 + tile.size() * 100 + half.size() * 10 + half.thread_rank() % 10;
}

int main() {
  unsigned* out;
  cudaMallocManaged(&out, 64 * sizeof(unsigned));
  for (int size : {1, 2, 8, 32}) {
    tiles<<<1, 64>>>(out, size);
    cudaDeviceSynchronize();
    printf("%d: %u %u %u\n", size, out[0], out[37], out[63]);
  }
  cudaFree(out);
}
