// cg::inclusive_scan and cg::exclusive_scan over tiles.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void scans(int* out, float* reals) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto tile = cg::tiled_partition<8>(block);
  int i = threadIdx.x;
  int value = i * 5 % 7;
  out[i] = cg::inclusive_scan(warp, value);
  out[64 + i] = cg::exclusive_scan(warp, value);
  out[128 + i] = cg::inclusive_scan(tile, value, cg::greater<int>());
  out[192 + i] = cg::exclusive_scan(tile, value, cg::plus<int>());
  reals[i] = cg::inclusive_scan(tile, 0.5f * value, cg::plus<float>());
  reals[64 + i] = cg::exclusive_scan(tile, 0.5f * value, cg::plus<float>());
}

int main() {
  int* out;
  float* reals;
  cudaMallocManaged(&out, 256 * sizeof(int));
  cudaMallocManaged(&reals, 128 * sizeof(float));
  scans<<<1, 64>>>(out, reals);
  cudaDeviceSynchronize();
  for (int row = 0; row < 4; ++row) {
    for (int i = 28; i < 44; ++i) printf("%d ", out[64 * row + i]);
    printf("\n");
  }
  for (int row = 0; row < 2; ++row) {
    for (int i = 28; i < 44; ++i) printf("%g ", reals[64 * row + i]);
    printf("\n");
  }
  cudaFree(out);
  cudaFree(reals);
}
