// any, all, ballot and match of a tile, numbered from its first thread.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void votes(unsigned* out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int i = threadIdx.x;
  int flag;
  out[i * 5] = tile.ballot(i % 3 == 0);
  out[i * 5 + 1] = (tile.any(i == 20) != 0) + 10 * (tile.all(i < 32) != 0);
  out[i * 5 + 2] = tile.match_any(i / 6);
  out[i * 5 + 3] = tile.match_all(i < 40, flag);
  out[i * 5 + 4] = flag != 0;
}

int main() {
  unsigned* out;
  cudaMallocManaged(&out, 320 * sizeof(unsigned));
  votes<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  for (int i : {0, 17, 35, 63}) {
    for (int k = 0; k < 5; ++k) printf("%x ", out[i * 5 + k]);
    printf("\n");
  }
  cudaFree(out);
}
