// The elementary functions of half and bfloat16, of all 65,536 numbers: a checksum for each. They
// give the nearest number. NaNs count as 7fff.
#include <cstdio>
#include <cuda_bf16.h>

constexpr int names = 11;
const char* const name_of[names] = {"rcp", "rsqrt", "log", "log2", "log10", "exp",
                                    "exp2", "exp10", "sin", "cos", "div"};

__device__ half make(half, unsigned bits) { return __ushort_as_half((unsigned short)bits); }
__device__ nv_bfloat16 make(nv_bfloat16, unsigned bits) {
  return __ushort_as_bfloat16((unsigned short)bits);
}
__device__ unsigned value(half h) { return __hisnan(h) ? 0x7fff : __half_as_ushort(h); }
__device__ unsigned value(nv_bfloat16 h) { return __hisnan(h) ? 0x7fff : __bfloat16_as_ushort(h); }

// A sum of products with odd numbers, in any order of threads.
__device__ void count(unsigned* sums, int k, unsigned bits, unsigned value) {
  atomicAdd(&sums[k], (value + 1) * (2 * bits + 1));
}

template <class H>
__global__ void sum_up(unsigned* sums) {
  unsigned bits = blockIdx.x * blockDim.x + threadIdx.x;
  H x = make(H(), bits);
  count(sums, 0, bits, value(hrcp(x)));
  count(sums, 1, bits, value(hrsqrt(x)));
  count(sums, 2, bits, value(hlog(x)));
  count(sums, 3, bits, value(hlog2(x)));
  count(sums, 4, bits, value(hlog10(x)));
  count(sums, 5, bits, value(hexp(x)));
  count(sums, 6, bits, value(hexp2(x)));
  count(sums, 7, bits, value(hexp10(x)));
  count(sums, 8, bits, value(hsin(x)));
  count(sums, 9, bits, value(hcos(x)));
  count(sums, 10, bits, value(__hdiv(x, make(H(), bits * 40503u))));
}

int main() {
  unsigned* sums;
  cudaMallocManaged(&sums, 2 * names * sizeof *sums);
  for (int k = 0; k < 2 * names; ++k) sums[k] = 0;
  sum_up<half><<<256, 256>>>(sums);
  sum_up<nv_bfloat16><<<256, 256>>>(sums + names);
  cudaDeviceSynchronize();
  for (int k = 0; k < names; ++k) printf("half %s %08x\n", name_of[k], sums[k]);
  for (int k = 0; k < names; ++k) printf("bfloat16 %s %08x\n", name_of[k], sums[names + k]);
  cudaFree(sums);
}
