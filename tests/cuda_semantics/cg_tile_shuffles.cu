// Shuffles of a tile: within its bounds, for types of every size.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

struct Particle {
  double mass;
  int id;
  float charge;
};

__global__ void shuffles(int* out, double* mass) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int i = threadIdx.x;
  out[i] = tile.shfl(i, 5);
  out[64 + i] = tile.shfl_up(i, 3);
  out[128 + i] = tile.shfl_down(i, 2);
  out[192 + i] = tile.shfl_xor(i, 6);
  Particle mine = {i * 0.25, -i, i + 0.5f};
  Particle next = tile.shfl(mine, tile.thread_rank() + 1);
  out[256 + i] = next.id * 100 + (int)next.charge;
  mass[i] = next.mass + tile.shfl_xor(mine.mass, 1);
  unsigned char small = i + 200;
  out[320 + i] = tile.shfl_down(small, 1);
}

int main() {
  int* out;
  double* mass;
  cudaMallocManaged(&out, 384 * sizeof(int));
  cudaMallocManaged(&mass, 64 * sizeof(double));
  shuffles<<<1, 64>>>(out, mass);
  cudaDeviceSynchronize();
  for (int row = 0; row < 6; ++row) {
    for (int i = 24; i < 40; ++i) printf("%d ", out[64 * row + i]);
    printf("\n");
  }
  for (int i = 24; i < 40; ++i) printf("%g ", mass[i]);
  printf("\n");
  cudaFree(out);
  cudaFree(mass);
}
