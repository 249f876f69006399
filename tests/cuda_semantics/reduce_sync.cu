// __reduce_*_sync: all operations, signed and unsigned, over the whole warp and over a part.
#include <cstdio>

__global__ void reductions(int* out) {
  int lane = threadIdx.x;
  int value = (lane * 29 % 32) - 12;
  unsigned bits = 0xf0f00000u | 1u << lane;
  int whole[9] = {__reduce_add_sync(0xffffffff, value),
                  __reduce_min_sync(0xffffffff, value),
                  __reduce_max_sync(0xffffffff, value),
                  (int)__reduce_add_sync(0xffffffff, (unsigned)value),
                  (int)__reduce_min_sync(0xffffffff, (unsigned)value),
                  (int)__reduce_max_sync(0xffffffff, (unsigned)value),
                  (int)__reduce_and_sync(0xffffffff, bits),
                  (int)__reduce_or_sync(0xffffffff, bits),
                  (int)__reduce_xor_sync(0xffffffff, bits)};
  for (int i = 0; i < 9; ++i) out[i * 32 + lane] = whole[i];
  if (lane % 2) out[9 * 32 + lane] = __reduce_add_sync(0xaaaaaaaa, value);
}

int main() {
  int* out;
  cudaMallocManaged(&out, 320 * sizeof(int));
  reductions<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 10; ++i) printf("%d %d\n", out[i * 32 + 1], out[i * 32 + 31]);
  cudaFree(out);
}
