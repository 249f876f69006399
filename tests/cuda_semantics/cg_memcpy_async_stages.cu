// memcpy_async two stages ahead with wait_prior; between places that are no shared memory it is done
// at once; an odd number of bytes; a type of 2 bytes and one of 12.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cstdio>

namespace cg = cooperative_groups;

struct Three {
  int x, y, z;
};

__global__ void stages(const int* in, int* out, int tiles) {
  __shared__ int tile[2][64];
  auto block = cg::this_thread_block();
  const int i = threadIdx.x;
  int sum = 0;
  cg::memcpy_async(block, tile[0], in, sizeof(int) * 64);
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) {
      cg::memcpy_async(block, tile[(t + 1) % 2], in + 64 * (t + 1), sizeof(int) * 64);
      cg::wait_prior<1>(block);
    } else {
      cg::wait(block);
    }
    sum += (t + 1) * tile[t % 2][63 - i];
    block.sync();
  }
  out[i] = sum;
}

__global__ void others(const short* shorts, const Three* threes, const char* bytes, int* out) {
  __shared__ short few[64];
  __shared__ Three some[64];
  __shared__ char text[64];
  auto block = cg::this_thread_block();
  const int i = threadIdx.x;
  text[i] = 'z';
  block.sync();
  cg::memcpy_async(block, few, shorts, sizeof(short) * 64);
  cg::memcpy_async(block, some, threes, sizeof(Three) * 64);
  cg::memcpy_async(block, text, bytes, 37);
  cg::wait(block);
  out[i] = few[63 - i] + 1000 * some[63 - i].z + 1000000 * text[i];
}

int main() {
  int *in, *out;
  short* shorts;
  Three* threes;
  char* bytes;
  cudaMallocManaged(&in, 5 * 64 * sizeof(int));
  cudaMallocManaged(&out, 64 * sizeof(int));
  cudaMallocManaged(&shorts, 64 * sizeof(short));
  cudaMallocManaged(&threes, 64 * sizeof(Three));
  cudaMallocManaged(&bytes, 64);
  for (int i = 0; i < 5 * 64; ++i) in[i] = i * i % 101;
  for (int i = 0; i < 64; ++i) {
    shorts[i] = short(3 * i);
    threes[i] = {i, 2 * i, 5 * i};
    bytes[i] = char('A' + i % 20);
  }
  stages<<<1, 64>>>(in, out, 5);
  cudaDeviceSynchronize();
  for (int i : {0, 1, 31, 63}) printf("%d ", out[i]);
  printf("\n");
  others<<<1, 64>>>(shorts, threes, bytes, out);
  cudaDeviceSynchronize();
  for (int i : {0, 1, 31, 36, 37, 63}) printf("%d ", out[i]);
  printf("\n");
  cudaFree(in);
  cudaFree(out);
  cudaFree(shorts);
  cudaFree(threes);
  cudaFree(bytes);
}
