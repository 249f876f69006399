// What a block has in shared memory, in registers and in local arrays stays its own across
// grid.sync().
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void turns(int* out, int rounds) {
  extern __shared__ int dynamic[];
  __shared__ int fixed[64];
  auto grid = cg::this_grid();
  int local[4] = {1, 2, 3, 4};
  int t = threadIdx.x;
  fixed[t] = blockIdx.x * 1000 + t;
  dynamic[t] = -fixed[t];
  for (int round = 0; round < rounds; ++round) {
    if (t == 0) out[round * gridDim.x + blockIdx.x] = fixed[0] + round;
    grid.sync();
    int neighbour = out[round * gridDim.x + (blockIdx.x + 1) % gridDim.x];
    fixed[t] += neighbour;
    dynamic[t] -= neighbour;
    local[round % 4] += neighbour;
    __syncthreads();
  }
  int sum = local[0] + local[1] + local[2] + local[3];
  if (fixed[t] != -dynamic[t] || sum - 10 != fixed[t] - (int)blockIdx.x * 1000 - t) out[0] = -1;
  grid.sync();
  if (t == 63) out[(rounds + 1) * gridDim.x + blockIdx.x] = fixed[t];
}

int main() {
  int *out, rounds = 6, blocks = 7;
  cudaMallocManaged(&out, 64 * sizeof(int));
  void* arguments[] = {&out, &rounds};
  cudaError_t error = cudaLaunchCooperativeKernel((const void*)turns, dim3(blocks), dim3(64),
                                                  arguments, 64 * sizeof(int), cudaStream_t(0));
  cudaDeviceSynchronize();
  printf("%d %d\n", error, out[0]);
  for (int b = 0; b < blocks; ++b) printf("%d ", out[(rounds + 1) * blocks + b]);
  printf("\n");
  cudaFree(out);
}
