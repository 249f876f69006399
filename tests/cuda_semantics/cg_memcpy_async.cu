// memcpy_async into shared memory by a block and by tiles: in bytes, in elements, and cut to the
// room there is.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void copies(const int* in, int* out) {
  __shared__ __align__(16) int whole[128];
  __shared__ __align__(16) int parts[4][32];
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  int i = threadIdx.x;
  cg::memcpy_async(block, whole, in, sizeof(int) * 128);
  cg::wait(block);
  out[i] = whole[127 - i];
  cg::memcpy_async(tile, parts[i / 32], in + 128 + 32 * (i / 32), sizeof(int) * 32);
  cg::wait(tile);
  out[128 + i] = parts[i / 32][31 - i % 32];
  block.sync();
  whole[i] = -1;
  block.sync();
  cg::memcpy_async(block, whole, 100, in + 4, 120);
  cg::wait(block);
  out[256 + i] = whole[i];
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 256 * sizeof(int));
  cudaMallocManaged(&out, 384 * sizeof(int));
  for (int i = 0; i < 256; ++i) in[i] = i * i;
  copies<<<1, 128>>>(in, out);
  cudaDeviceSynchronize();
  for (int i : {0, 31, 127, 128, 160, 255, 256, 355, 356, 383}) printf("%d ", out[i]);
  printf("\n");
  cudaFree(in);
  cudaFree(out);
}
