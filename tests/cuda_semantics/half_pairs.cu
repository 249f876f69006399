// half2 and bfloat162: making them, taking them apart, and functions that work on both halves.
#include <cstdio>
#include <cuda_bf16.h>

__device__ void show(const char* name, half2 h) {
  printf("%s %04x %04x\n", name, __half_as_ushort(h.x), __half_as_ushort(h.y));
}
__device__ void show(const char* name, nv_bfloat162 h) {
  printf("%s %04x %04x\n", name, __bfloat16_as_ushort(h.x), __bfloat16_as_ushort(h.y));
}

template <class H2>
__device__ void compute(H2 a, H2 b, H2 c) {
  show("add", __hadd2_rn(a, b));
  show("sub", __hsub2_rn(a, b));
  show("mul", __hmul2_rn(a, b));
  show("div", __h2div(a, b));
  show("fma", __hfma2(a, b, c));
  show("add_sat", __hadd2_sat(a, b));
  show("fma_sat", __hfma2_sat(a, b, c));
  show("fma_relu", __hfma2_relu(a, b, c));
  show("complex", __hcmadd(a, b, c));
  show("neg", __hneg2(a));
  show("abs", __habs2(a));
  show("max", __hmax2(a, b));
  show("min", __hmin2(a, b));
  show("floor", h2floor(a));
  show("ceil", h2ceil(a));
  show("trunc", h2trunc(a));
  show("rint", h2rint(a));
  show("sqrt", h2sqrt(b));
  show("swapped", __lowhigh2highlow(a));
  printf("%g %g\n", __low2float(a), __high2float(a));
}

__global__ void use_half(const float* in) {
  half2 a = __floats2half2_rn(in[0], in[1]), b = __float22half2_rn(make_float2(in[2], in[3]));
  half2 c = __halves2half2(__float2half(in[4]), __float2half(in[5]));
  compute(a, b, c);
  show("one", __float2half2_rn(in[0]));
  show("twice", __half2half2(__high2half(a)));
  show("lows", __lows2half2(a, b));
  show("highs", __highs2half2(a, b));
  show("low", __low2half2(a));
  show("high", __high2half2(a));
  show("made", make_half2(__low2half(a), __high2half(b)));
  float2 wide = __half22float2(b);
  printf("%g %g\n", wide.x, wide.y);
}

__global__ void use_bfloat16(const float* in) {
  nv_bfloat162 a = __floats2bfloat162_rn(in[0], in[1]);
  nv_bfloat162 b = __float22bfloat162_rn(make_float2(in[2], in[3]));
  nv_bfloat162 c = __halves2bfloat162(__float2bfloat16(in[4]), __float2bfloat16(in[5]));
  compute(a, b, c);
  show("one", __float2bfloat162_rn(in[0]));
  show("twice", __bfloat162bfloat162(__high2bfloat16(a)));
  show("lows", __lows2bfloat162(a, b));
  show("highs", __highs2bfloat162(a, b));
  show("low", __low2bfloat162(a));
  show("high", __high2bfloat162(a));
  show("made", make_bfloat162(__low2bfloat16(a), __high2bfloat16(b)));
  float2 wide = __bfloat1622float2(b);
  printf("%g %g\n", wide.x, wide.y);
}

int main() {
  const float numbers[] = {1.1f, -2.7f, 0.3f, 3.3f, -0.7f, 9.5f};
  float* in;
  cudaMallocManaged(&in, sizeof numbers);
  int count = 0;
  for (float number : numbers) in[count++] = number;
  use_half<<<1, 1>>>(in);
  cudaDeviceSynchronize();
  use_bfloat16<<<1, 1>>>(in);
  cudaDeviceSynchronize();
  cudaFree(in);
}
