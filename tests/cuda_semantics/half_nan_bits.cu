// Which NaN comes of a NaN: almost always 7fff, whatever its sign and payload were.
#include <cstdio>
#include <cuda_bf16.h>

__device__ half make(half, unsigned short bits) { return __ushort_as_half(bits); }
__device__ nv_bfloat16 make(nv_bfloat16, unsigned short bits) { return __ushort_as_bfloat16(bits); }
__device__ unsigned bits(half h) { return __half_as_ushort(h); }
__device__ unsigned bits(nv_bfloat16 h) { return __bfloat16_as_ushort(h); }

template <class H>
__device__ void show(H nan, H one) {
  printf("copy %04x\n", bits(nan));
  printf("add %04x mul %04x fma %04x div %04x\n", bits(__hadd_rn(nan, one)),
         bits(__hmul_rn(one, nan)), bits(__hfma(one, one, nan)), bits(__hdiv(nan, one)));
  printf("sat %04x relu %04x\n", bits(__hadd_sat(nan, one)), bits(__hfma_relu(one, one, nan)));
  printf("max %04x %04x %04x\n", bits(__hmax(nan, one)), bits(__hmax(nan, nan)),
         bits(__hmax_nan(nan, one)));
  printf("floor %04x sqrt %04x exp %04x\n", bits(hfloor(nan)), bits(hsqrt(nan)), bits(hexp(nan)));
  printf("neg %04x abs %04x\n", bits(__hneg(nan)), bits(__habs(nan)));
  printf("float %08x\n", __float_as_uint((float)nan));
}

__global__ void show_all(const unsigned short* in, const unsigned* floats) {
  for (int i = 0; i < 3; ++i) show(make(half(), in[i]), make(half(), in[6]));
  for (int i = 3; i < 6; ++i) show(make(nv_bfloat16(), in[i]), make(nv_bfloat16(), in[7]));
  for (int i = 0; i < 3; ++i) {
    float x = __uint_as_float(floats[i]);
    printf("from float %04x %04x %04x %04x\n", bits(__float2half_rn(x)), bits(__float2half_rz(x)),
           bits(__float2bfloat16_rn(x)), bits(__float2bfloat16_rz(x)));
    printf("from double %04x %04x\n", bits(__double2half(x)), bits(__double2bfloat16(x)));
  }
  printf("between %04x %04x\n", bits(half(make(nv_bfloat16(), in[4]))),
         bits(nv_bfloat16(make(half(), in[1]))));
  half minus = make(half(), 0x8000);
  nv_bfloat16 minus_b = make(nv_bfloat16(), 0x8000);
  printf("relu of -0: %04x %04x\n", bits(__hfma_relu(minus, make(half(), in[6]), minus)),
         bits(__hfma_relu(minus_b, make(nv_bfloat16(), in[7]), minus_b)));
}

int main() {
  const unsigned short nans[8] = {0x7e00, 0xfe01, 0x7d55, 0x7fc0, 0xffc1, 0x7fa5, 0x3c00, 0x3f80};
  const unsigned floats[3] = {0x7fc00000, 0xffc12345, 0x7fa12345};
  unsigned short* in;
  unsigned* more;
  cudaMallocManaged(&in, sizeof nans);
  cudaMallocManaged(&more, sizeof floats);
  for (int i = 0; i < 8; ++i) in[i] = nans[i];
  for (int i = 0; i < 3; ++i) more[i] = floats[i];
  show_all<<<1, 1>>>(in, more);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(more);
}
