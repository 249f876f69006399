// Groups by label and by predicate: sizes, ranks, sums.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void partitions(int* out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int i = threadIdx.x;
  auto same = cg::labeled_partition(warp, i * i % 7);
  out[i] = same.size() * 1000 + same.thread_rank() * 100 + same.meta_group_rank() * 10 +
           same.meta_group_size();
  out[32 + i] = cg::reduce(same, i, cg::plus<int>());
  out[64 + i] = same.shfl(i, 1) * 100 + same.shfl_down(i, 1);
  auto half = cg::binary_partition(warp, i % 5 < 2);
  out[96 + i] = half.size() * 100 + half.thread_rank() + 10000 * half.meta_group_rank();
  out[128 + i] = half.shfl_up(i, 2);
  auto tiles = cg::tiled_partition(half, 4);
  out[160 + i] = tiles.size() * 100 + tiles.thread_rank() * 10 + tiles.meta_group_rank();
}

int main() {
  int* out;
  cudaMallocManaged(&out, 192 * sizeof(int));
  partitions<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  for (int row = 0; row < 6; ++row) {
    for (int i = 0; i < 32; ++i) printf("%d ", out[32 * row + i]);
    printf("\n");
  }
  cudaFree(out);
}
