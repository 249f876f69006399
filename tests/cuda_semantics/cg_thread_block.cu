// The block as a group: ranks, dimensions, synchronisation.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__device__ int sum_of(cg::thread_group group, int* scratch, int value) {
  int rank = group.thread_rank();
  for (int half = group.size() / 2; half > 0; half /= 2) {
    scratch[rank] = value;
    group.sync();
    if (rank < half) value += scratch[rank + half];
    group.sync();
  }
  return value;
}

__global__ void block(unsigned* out) {
  __shared__ int scratch[64];
  cg::thread_block block = cg::this_thread_block();
  unsigned rank = block.thread_rank();
  int sum = sum_of(block, scratch, rank);
  unsigned at = (block.group_index().x * 64 + rank) * 4;
  dim3 thread = block.thread_index();
  out[at] = rank + 1000 * block.size() + block.num_threads();
  out[at + 1] = thread.x + 10 * thread.y + 100 * thread.z;
  out[at + 2] = block.dim_threads().x + 100 * block.group_dim().y + 10000 * block.group_dim().z;
  cg::sync(block);
  out[at + 3] = rank == 0 ? sum : cg::thread_rank(block) + cg::group_size(block);
}

int main() {
  unsigned* out;
  cudaMallocManaged(&out, 512 * sizeof(unsigned));
  block<<<2, dim3(8, 4, 2)>>>(out);
  cudaDeviceSynchronize();
  for (int thread : {0, 9, 63, 64, 127}) {
    for (int i = 0; i < 4; ++i) printf("%u ", out[thread * 4 + i]);
    printf("\n");
  }
  cudaFree(out);
}
