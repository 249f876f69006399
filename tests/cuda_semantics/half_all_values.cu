// Exact functions of one half or bfloat16, of all 65,536 numbers: a checksum for each. NaNs of
// 16 bits count as 7fff.
#include <cstdio>
#include <cuda_bf16.h>

constexpr int names = 18;
const char* const name_of[names] = {"neg",    "abs",   "trunc", "ceil",  "floor", "rint",
                                    "sqrt",   "isnan", "isinf", "float", "bool",  "int",
                                    "ushort", "ll",    "ull",   "add",   "mul",   "fma"};

__device__ half make(half, unsigned bits) { return __ushort_as_half((unsigned short)bits); }
__device__ nv_bfloat16 make(nv_bfloat16, unsigned bits) {
  return __ushort_as_bfloat16((unsigned short)bits);
}
__device__ unsigned value(half h) { return __hisnan(h) ? 0x7fff : __half_as_ushort(h); }
__device__ unsigned value(nv_bfloat16 h) { return __hisnan(h) ? 0x7fff : __bfloat16_as_ushort(h); }
__device__ unsigned value(float x) { return x != x ? 0x7fffffff : __float_as_uint(x); }
__device__ unsigned value(long long n) { return (unsigned)n ^ (unsigned)(n >> 32) * 31; }

// A sum of products with odd numbers, in any order of threads.
__device__ void count(unsigned* sums, int k, unsigned bits, unsigned value) {
  atomicAdd(&sums[k], (value + 1) * (2 * bits + 1));
}

template <class H>
__global__ void sum_up(unsigned* sums) {
  unsigned bits = blockIdx.x * blockDim.x + threadIdx.x;
  H x = make(H(), bits), other = make(H(), bits * 40503u), third = make(H(), bits * 30011u);
  count(sums, 0, bits, value(__hneg(x)));
  count(sums, 1, bits, value(__habs(x)));
  count(sums, 2, bits, value(htrunc(x)));
  count(sums, 3, bits, value(hceil(x)));
  count(sums, 4, bits, value(hfloor(x)));
  count(sums, 5, bits, value(hrint(x)));
  count(sums, 6, bits, value(hsqrt(x)));
  count(sums, 7, bits, __hisnan(x));
  count(sums, 8, bits, (unsigned)__hisinf(x));
  count(sums, 9, bits, value((float)x));
  count(sums, 10, bits, (bool)x);
  count(sums, 11, bits, (unsigned)(int)x);
  count(sums, 12, bits, (unsigned short)x);
  count(sums, 13, bits, value((long long)x));
  count(sums, 14, bits, value((long long)(unsigned long long)x));
  count(sums, 15, bits, value(__hadd_rn(x, other)));
  count(sums, 16, bits, value(__hmul_rn(x, other)));
  count(sums, 17, bits, value(__hfma(x, other, third)));
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
