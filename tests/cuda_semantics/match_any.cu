// __match_any_sync: the lanes with an equal value, for all widths and under a mask.
#include <cstdio>

__global__ void matches(unsigned* out) {
  int lane = threadIdx.x;
  out[lane] = __match_any_sync(0xffffffff, lane / 5);
  out[32 + lane] = __match_any_sync(0xffffffff, (unsigned long long)(lane % 3) << 40);
  out[64 + lane] = __match_any_sync(0xffffffff, lane % 2 ? 0.5f : -1.0f * (lane % 4));
  out[96 + lane] = __match_any_sync(0xffffffff, lane < 16 ? 1e300 : 2e300);
  out[128 + lane] = lane % 4 ? 0 : __match_any_sync(0x11111111, lane >> 3);
}

int main() {
  unsigned* out;
  cudaMallocManaged(&out, 160 * sizeof(unsigned));
  matches<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  for (int row = 0; row < 5; ++row) {
    for (int lane = 0; lane < 32; ++lane) printf("%x ", out[32 * row + lane]);
    printf("\n");
  }
  cudaFree(out);
}
