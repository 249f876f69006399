// cg::reduce over tiles: integers, floats, doubles, every operator, and one of the program's own.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void reductions(double* out) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto tile = cg::tiled_partition<8>(block);
  int i = threadIdx.x;
  int value = (i * 37) % 61 - 20;
  double* mine = out + i * 10;
  mine[0] = cg::reduce(warp, value, cg::plus<int>());
  mine[1] = cg::reduce(warp, value, cg::less<int>());
  mine[2] = cg::reduce(tile, value, cg::greater<int>());
  mine[3] = cg::reduce(tile, unsigned(i), cg::bit_xor<unsigned>());
  mine[4] = cg::reduce(warp, 1u << (i % 32), cg::bit_or<unsigned>());
  mine[5] = cg::reduce(warp, value * 0.25f, cg::plus<float>());
  mine[6] = cg::reduce(tile, value * 1.5, cg::less<double>());
  mine[7] = cg::reduce(warp, value * (1ll << 33), cg::plus<long long>());
  mine[8] = cg::reduce(tile, value, [](int a, int b) { return abs(a) > abs(b) ? a : b; });
  mine[9] = cg::reduce(warp, (unsigned char)(i % 3), cg::plus<unsigned char>());
}

int main() {
  double* out;
  cudaMallocManaged(&out, 640 * sizeof(double));
  reductions<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  for (int i : {0, 19, 63}) {
    for (int k = 0; k < 10; ++k) printf("%.10g ", out[i * 10 + k]);
    printf("\n");
  }
  cudaFree(out);
}
