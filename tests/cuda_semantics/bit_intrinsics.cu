// Integer and bit intrinsics on all bits of a value.
#include <cstdio>

__global__ void bits(const unsigned* in, unsigned long long* out) {
  int i = threadIdx.x;
  unsigned x = in[i], y = in[(i + 1) % 6];
  unsigned long long wide = (unsigned long long)x << 32 | y;
  unsigned long long* mine = out + i * 12;
  mine[0] = __clz(x) + 100 * __ffs(x) + 10000 * __popc(x);
  mine[1] = __clzll(wide) + 100 * __ffsll(wide) + 10000 * __popcll(wide);
  mine[2] = __brev(x);
  mine[3] = __brevll(wide);
  mine[4] = __byte_perm(x, y, 0x5146);
  mine[5] = __umulhi(x, y);
  mine[6] = (unsigned)__mulhi((int)x, (int)y);
  mine[7] = __umul64hi(wide, wide);
  mine[8] = __umul24(x, y) + ((unsigned long long)(unsigned)__mul24((int)x, (int)y) << 32);
  mine[9] = __funnelshift_l(x, y, 11) + ((unsigned long long)__funnelshift_r(x, y, 37) << 32);
  mine[10] = __usad(x, y, 5u) + ((unsigned long long)__sad((int)x, (int)y, 7u) << 32);
  mine[11] = __uhadd(x, y) + ((unsigned long long)(unsigned)__rhadd((int)x, (int)y) << 32);
}

int main() {
  unsigned* in;
  unsigned long long* out;
  cudaMallocManaged(&in, 6 * sizeof(unsigned));
  cudaMallocManaged(&out, 72 * sizeof(unsigned long long));
  unsigned values[6] = {0, 1, 0x80000000u, 0xdeadbeefu, 0x00012345u, 0xffffffffu};
  for (int i = 0; i < 6; ++i) in[i] = values[i];
  bits<<<1, 6>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < 12; ++k) printf("%llx ", out[i * 12 + k]);
    printf("\n");
  }
  cudaFree(in);
  cudaFree(out);
}
