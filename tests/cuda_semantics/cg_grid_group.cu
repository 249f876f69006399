// The grid as a group: ranks and dimensions; valid only in a cooperative launch.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void grids(unsigned* out) {
  cg::grid_group grid = cg::this_grid();
  unsigned rank = grid.thread_rank();
  unsigned* mine = out + rank * 5;
  dim3 blocks = grid.dim_blocks(), block = grid.block_index(), thread = grid.thread_index();
  mine[0] = grid.is_valid();
  mine[1] = grid.size() * 10000 + grid.num_threads() + grid.num_blocks();
  mine[2] = grid.block_rank();
  mine[3] = blocks.x + 10 * blocks.y + 100 * block.x + 1000 * block.y;
  mine[4] = thread.x + 100 * thread.y + 10000 * grid.dim_threads().x;
}

int main() {
  unsigned* out;
  cudaMallocManaged(&out, 96 * 5 * sizeof(unsigned));
  void* arguments[] = {&out};
  for (int cooperative : {0, 1}) {
    if (cooperative) {
      cudaLaunchCooperativeKernel(grids, dim3(2, 3), dim3(8, 2), arguments, 0, nullptr);
    } else {
      grids<<<dim3(2, 3), dim3(8, 2)>>>(out);
    }
    cudaDeviceSynchronize();
    for (int i : {0, 21, 95}) {
      for (int k = 0; k < 5; ++k) printf("%u ", out[i * 5 + k]);
      printf("\n");
    }
  }
  cudaFree(out);
}
