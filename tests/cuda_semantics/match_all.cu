// __match_all_sync: the mask if all its lanes have the same value, else 0; and the flag.
#include <cstdio>

__global__ void matches(unsigned* out, int odd_one) {
  int lane = threadIdx.x;
  int flag = 7;
  unsigned same = __match_all_sync(0xffffffff, lane == odd_one ? 2ll << 33 : 1ll << 33, &flag);
  out[lane] = same;
  out[32 + lane] = flag != 0;
  if (lane >= 8) {
    same = __match_all_sync(0xffffff00, lane == odd_one, &flag);
    out[lane] ^= same >> 4;
    out[32 + lane] += 2 * (flag != 0);
  }
}

int main() {
  unsigned* out;
  cudaMallocManaged(&out, 64 * sizeof(unsigned));
  for (int odd_one : {-1, 3, 20}) {
    matches<<<1, 32>>>(out, odd_one);
    cudaDeviceSynchronize();
    printf("%d: %x %u, %x %u\n", odd_one, out[0], out[32], out[31], out[63]);
  }
  cudaFree(out);
}
