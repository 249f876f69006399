// Asks the device what its exact functions answer, corner cases above all, and prints one line for
// each question, bits in hexadecimal. Run on a GPU it gives expected/intrinsics.txt; the CPU
// backend must give the same. Values come through memory, so that no compiler computes them.
#include <cuda_runtime.h>

#include <cstdio>

struct Inputs {
  float f[24];
  double d[20];
  int i[8];
  long long l[8];
};

__device__ void bits(const char* name, int k, float x) {
  printf("%s %d %08x\n", name, k, x == x ? __float_as_uint(x) : 0x7fffffff);
}
__device__ void bits(const char* name, int k, double x) {
  printf("%s %d %016llx\n", name, k,
         x == x ? (unsigned long long)__double_as_longlong(x) : 0x7fffffffffffffffull);
}
__device__ void bits(const char* name, int k, int x) { printf("%s %d %08x\n", name, k, x); }
__device__ void bits(const char* name, int k, unsigned x) { printf("%s %d %08x\n", name, k, x); }
__device__ void bits(const char* name, int k, long long x) {
  printf("%s %d %016llx\n", name, k, x);
}
__device__ void bits(const char* name, int k, unsigned long long x) {
  printf("%s %d %016llx\n", name, k, x);
}

#define SHOW1(f, x) bits(#f, k, f(x));
#define SHOW2(f, x, y) bits(#f, k, f(x, y));
#define SHOW3(f, x, y, z) bits(#f, k, f(x, y, z));
#define MODES1(f, x) SHOW1(f##_rn, x) SHOW1(f##_rz, x) SHOW1(f##_ru, x) SHOW1(f##_rd, x)
#define MODES2(f, x, y) \
  SHOW2(f##_rn, x, y) SHOW2(f##_rz, x, y) SHOW2(f##_ru, x, y) SHOW2(f##_rd, x, y)
#define MODES3(f, x, y, z) \
  SHOW3(f##_rn, x, y, z) SHOW3(f##_rz, x, y, z) SHOW3(f##_ru, x, y, z) SHOW3(f##_rd, x, y, z)

__global__ void conversions(const Inputs* in) {
  for (int k = 0; k < 24; ++k) {
    const float x = in->f[k];
    MODES1(__float2int, x)
    MODES1(__float2uint, x)
    MODES1(__float2ll, x)
    MODES1(__float2ull, x)
    SHOW1(__saturatef, x)
  }
  for (int k = 0; k < 20; ++k) {
    const double x = in->d[k];
    MODES1(__double2int, x)
    MODES1(__double2uint, x)
    MODES1(__double2ll, x)
    MODES1(__double2ull, x)
    MODES1(__double2float, x)
    SHOW1(__double2hiint, x)
    SHOW1(__double2loint, x)
  }
  for (int k = 0; k < 8; ++k) {
    MODES1(__int2float, in->i[k])
    MODES1(__uint2float, (unsigned)in->i[k])
    MODES1(__ll2float, in->l[k])
    MODES1(__ull2float, (unsigned long long)in->l[k])
    MODES1(__ll2double, in->l[k])
    MODES1(__ull2double, (unsigned long long)in->l[k])
  }
}

__global__ void arithmetic(const Inputs* in) {
  for (int k = 0; k < 24; ++k) {
    const float x = in->f[k], y = in->f[(k * 7 + 3) % 24], z = in->f[(k * 5 + 11) % 24];
    MODES2(__fadd, x, y)
    MODES2(__fsub, x, y)
    MODES2(__fmul, x, y)
    MODES2(__fdiv, x, y)
    MODES1(__frcp, x)
    MODES1(__fsqrt, x)
    MODES3(__fmaf, x, y, z)
    SHOW2(fminf, x, y)
    SHOW2(fmaxf, x, y)
    SHOW2(min, x, y)
    SHOW2(max, x, y)
    SHOW2(fmodf, x, y)
    SHOW1(rintf, x)
    SHOW1(roundf, x)
    SHOW1(truncf, x)
    SHOW2(copysignf, x, y)
    SHOW1(sqrtf, x)
  }
  for (int k = 0; k < 20; ++k) {
    const double x = in->d[k], y = in->d[(k * 7 + 3) % 20], z = in->d[(k * 3 + 11) % 20];
    MODES2(__dadd, x, y)
    MODES2(__dsub, x, y)
    MODES2(__dmul, x, y)
    MODES2(__ddiv, x, y)
    MODES1(__drcp, x)
    MODES1(__dsqrt, x)
    MODES3(__fma, x, y, z)
    SHOW2(fmin, x, y)
    SHOW2(fmax, x, y)
  }
  const float zero = in->f[0], minus = in->f[1];
  const int k = 99;
  SHOW2(fminf, zero, minus)
  SHOW2(fminf, minus, zero)
  SHOW2(fmaxf, zero, minus)
  SHOW2(fmaxf, minus, zero)
  SHOW2(min, zero, minus)
  SHOW2(max, minus, zero)
}

__global__ void fast(const Inputs* in) {
  const float nan = in->f[5], inf = in->f[4], big = in->f[20], one = in->f[2], two = in->f[3];
  int k = 0;
  SHOW2(__fdividef, one, big)
  SHOW2(__fdividef, inf, big)
  SHOW2(__fdividef, one, inf)
  SHOW2(__fdividef, one, two)
  SHOW2(__fdividef, one, nan)
  k = 1;
  SHOW2(__powf, -two, two)
  SHOW2(__powf, two, two)
  SHOW1(__logf, -one)
  SHOW1(__logf, in->f[0])
  SHOW1(__expf, inf)
  SHOW1(__expf, -inf)
  SHOW1(__expf, nan)
  SHOW1(__saturatef, nan)
  SHOW1(rsqrtf, in->f[0])
  SHOW1(rsqrtf, in->f[1])
  SHOW1(rsqrtf, -one)
  SHOW1(rsqrtf, inf)
  SHOW1(__frsqrt_rn, two)
  SHOW1(__frsqrt_rn, in->f[8])
  SHOW1(sinpif, two)
  SHOW1(sinpif, in->f[9])
  SHOW1(cospif, in->f[9])
  SHOW1(sinpif, inf)
}

__global__ void integers(const Inputs* in) {
  for (int k = 0; k < 8; ++k) {
    const int x = in->i[k], y = in->i[(k * 3 + 1) % 8], z = in->i[(k * 5 + 2) % 8];
    const unsigned u = x, v = y, w = z;
    const long long a = in->l[k], b = in->l[(k * 3 + 1) % 8];
    SHOW1(__clz, x)
    SHOW1(__ffs, x)
    SHOW1(__popc, u)
    SHOW1(__brev, u)
    SHOW1(__clzll, a)
    SHOW1(__ffsll, a)
    SHOW1(__popcll, (unsigned long long)a)
    SHOW1(__brevll, (unsigned long long)a)
    SHOW3(__byte_perm, u, v, w)
    SHOW2(__mulhi, x, y)
    SHOW2(__umulhi, u, v)
    SHOW2(__mul64hi, a, b)
    SHOW2(__umul64hi, (unsigned long long)a, (unsigned long long)b)
    SHOW2(__mul24, x, y)
    SHOW2(__umul24, u, v)
    SHOW3(__sad, x, y, w)
    SHOW3(__usad, u, v, w)
    SHOW2(__hadd, x, y)
    SHOW2(__rhadd, x, y)
    SHOW2(__uhadd, u, v)
    SHOW2(__urhadd, u, v)
    SHOW3(__funnelshift_l, u, v, w)
    SHOW3(__funnelshift_lc, u, v, w)
    SHOW3(__funnelshift_r, u, v, w)
    SHOW3(__funnelshift_rc, u, v, w)
    SHOW3(__dp4a, x, y, z)
    SHOW3(__dp4a, u, v, w)
    SHOW3(__dp2a_lo, x, y, z)
    SHOW3(__dp2a_hi, u, v, w)
    SHOW3(__fns, u, (unsigned)(k * 5), k - 4)
    SHOW2(min, x, v)
    SHOW2(max, u, y)
    SHOW2(min, a, b)
    SHOW2(max, (unsigned long long)a, b)
  }
}

__global__ void atomics(int* cells) {
  unsigned* u = (unsigned*)cells;
  int k = 0;
  u[0] = 5;
  SHOW2(atomicInc, u, 7u)
  SHOW2(atomicInc, u, 6u)
  SHOW2(atomicInc, u, 6u)
  SHOW2(atomicDec, u, 3u)
  SHOW2(atomicDec, u, 3u)
  u[0] = 9;
  SHOW2(atomicDec, u, 3u)
  bits("cell", 0, u[0]);
  cells[1] = -5;
  SHOW2(atomicMax, cells + 1, 3)
  SHOW2(atomicMin, cells + 1, -9)
  SHOW3(atomicCAS, cells + 1, -9, 4)
  SHOW3(atomicCAS, cells + 1, -9, 6)
  SHOW2(atomicExch, cells + 1, 1)
  SHOW2(atomicSub, cells + 1, 3)
  SHOW2(atomicAnd, cells + 1, 0xf0)
  SHOW2(atomicOr, cells + 1, 0x0f)
  SHOW2(atomicXor, cells + 1, 0x11)
  SHOW2(atomicAdd, cells + 1, 100)
  bits("cell", 1, cells[1]);
  float* f = (float*)(cells + 2);
  *f = 1.5f;
  SHOW2(atomicAdd, f, 2.25f)
  SHOW2(atomicExch, f, 8.0f)
  double* d = (double*)(cells + 4);
  *d = 0.5;
  SHOW2(atomicAdd, d, 0.25)
  bits("cell", 4, *d);
  unsigned long long* q = (unsigned long long*)(cells + 6);
  *q = 1ull << 40;
  SHOW2(atomicAdd, q, 1ull)
  SHOW2(atomicMax, q, 1ull << 50)
  SHOW3(atomicCAS, q, 1ull << 50, 7ull)
  bits("cell", 6, *q);
}

int main() {
  const float inf = 1.0f / 0.0f, nan = 0.0f / 0.0f;
  const double dinf = 1.0 / 0.0, dnan = 0.0 / 0.0;
  const Inputs host = {
      {0.0f,          -0.0f,          1.0f,          2.0f,    inf,   nan,    -inf,   0.5f,
       3.0f,          1.5f,           2.5f,          -2.5f,   -0.3f, 1e-45f, 1e-38f, 16777218.0f,
       2147483648.0f, -2147483649.0f, 4294967296.0f, 9.3e18f, 2e38f, -1.0f,  1.1f,   1.9e19f},
      {0.0,          -0.0,   1.0,   0.1,  dinf,       dnan,         -dinf,
       0.5,          1.5,    2.5,   -2.5, 1e-310,     2147483647.5, -2147483648.5,
       4294967295.5, 9.3e18, 1e300, -1.0, 16777217.0, 1e-46},
      {0, 1, -1, 0x12345678, (int)0x80000000u, 0x7fffffff, 0x00ff00ff, -123456789},
      {0, 1, -1, 0x123456789abcdef0ll, (long long)0x8000000000000000ull, 0x7fffffffffffffffll,
       16777217, -9007199254740993ll}};
  Inputs* in;
  int* cells;
  cudaMalloc(&in, sizeof *in);
  cudaMalloc(&cells, 64);
  cudaMemcpy(in, &host, sizeof host, cudaMemcpyHostToDevice);
  cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 16 << 20);
  void* arguments[] = {&in};
  void* more[] = {&cells};
  cudaLaunchKernel(conversions, dim3(1), dim3(1), arguments, 0, 0);
  cudaDeviceSynchronize();
  cudaLaunchKernel(arithmetic, dim3(1), dim3(1), arguments, 0, 0);
  cudaDeviceSynchronize();
  cudaLaunchKernel(fast, dim3(1), dim3(1), arguments, 0, 0);
  cudaLaunchKernel(integers, dim3(1), dim3(1), arguments, 0, 0);
  cudaDeviceSynchronize();
  cudaLaunchKernel(atomics, dim3(1), dim3(1), more, 0, 0);
  printf("end %d\n", (int)cudaDeviceSynchronize());
  return 0;
}
