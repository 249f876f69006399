// Sums, products, quotients and fused multiply-add of half and bfloat16: rounded once, denormals
// kept, with _sat and _relu. NaNs are printed as 7fff.
#include <cstdio>
#include <cuda_bf16.h>

constexpr int results = 12;

template <class H>
__device__ H number(unsigned short bits);
template <>
__device__ half number(unsigned short bits) {
  return __ushort_as_half(bits);
}
template <>
__device__ nv_bfloat16 number(unsigned short bits) {
  return __ushort_as_bfloat16(bits);
}

__device__ unsigned short bits(half h) { return __hisnan(h) ? 0x7fff : __half_as_ushort(h); }
__device__ unsigned short bits(nv_bfloat16 h) {
  return __hisnan(h) ? 0x7fff : __bfloat16_as_ushort(h);
}

template <class H>
__global__ void compute(const unsigned short* in, unsigned short* out) {
  int i = threadIdx.x;
  H a = number<H>(in[3 * i]), b = number<H>(in[3 * i + 1]), c = number<H>(in[3 * i + 2]);
  unsigned short* o = out + results * i;
  o[0] = bits(__hadd_rn(a, b));
  o[1] = bits(__hsub_rn(a, b));
  o[2] = bits(__hmul_rn(a, b));
  o[3] = bits(__hdiv(a, b));
  o[4] = bits(__hfma(a, b, c));
  o[5] = bits(__hadd_sat(a, b));
  o[6] = bits(__hsub_sat(a, b));
  o[7] = bits(__hmul_sat(a, b));
  o[8] = bits(__hfma_sat(a, b, c));
  o[9] = bits(__hfma_relu(a, b, c));
  o[10] = bits(__hneg(a));
  o[11] = bits(__habs(a));
}

template <class H, int count>
void show(const char* name, const unsigned short (&triples)[count][3]) {
  unsigned short *in, *out;
  cudaMallocManaged(&in, sizeof triples);
  cudaMallocManaged(&out, count * results * sizeof *out);
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k) in[3 * i + k] = triples[i][k];
  compute<H><<<1, count>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < count; ++i) {
    printf("%s %04x %04x %04x:", name, in[3 * i], in[3 * i + 1], in[3 * i + 2]);
    for (int k = 0; k < results; ++k) printf(" %04x", out[results * i + k]);
    printf("\n");
  }
  cudaFree(in);
  cudaFree(out);
}

int main() {
  const unsigned short halves[][3] = {
      {0x3c00, 0x1000, 0x3c00}, {0x3c01, 0x1000, 0x3c00}, {0x3c00, 0x9000, 0x0001},
      {0x7bff, 0x4c00, 0xfbff}, {0x7bff, 0x4bff, 0x0001}, {0x7bff, 0x7bff, 0xfc00},
      {0x0001, 0x3800, 0x0001}, {0x0001, 0x3801, 0x8001}, {0x0003, 0x3800, 0x0000},
      {0x0400, 0x3bff, 0x8001}, {0x03ff, 0x0001, 0x0001}, {0x0001, 0x0001, 0x3c00},
      {0x3c08, 0x3c20, 0x0001}, {0x3c08, 0x3c20, 0x8001}, {0x3c40, 0x3c18, 0x0001},
      {0x3c40, 0x3c18, 0x8001}, {0xbc08, 0x3c20, 0x0001}, {0x3c10, 0x3c20, 0xbc30},
      {0x4248, 0x3555, 0xbc00}, {0x4248, 0x4248, 0xc8ef}, {0x3c00, 0x4200, 0x0000},
      {0x3c00, 0x0000, 0x8000}, {0xbc00, 0x0000, 0x8000}, {0x0000, 0x8000, 0x0000},
      {0x7c00, 0x0000, 0x3c00}, {0x7c00, 0x7c00, 0xfc00}, {0x7e00, 0x3c00, 0x3c00},
      {0x3c00, 0x3c00, 0x7e00}, {0x3400, 0x3800, 0x3800}, {0x3c00, 0x3800, 0x3c00}};
  const unsigned short bfloats[][3] = {
      {0x3f80, 0x3b80, 0x3f80}, {0x3f81, 0x3b80, 0x3f80}, {0x3f80, 0xbb80, 0x0001},
      {0x7f7f, 0x7b00, 0xff7f}, {0x7f7f, 0x7aff, 0x0001}, {0x7f7f, 0x7f7f, 0xff80},
      {0x0001, 0x3f00, 0x0001}, {0x0001, 0x3f01, 0x8001}, {0x0003, 0x3f00, 0x0000},
      {0x0080, 0x3f7f, 0x8001}, {0x007f, 0x0001, 0x0001}, {0x0001, 0x0001, 0x3f80},
      {0x3f88, 0x3f88, 0x0001}, {0x3f88, 0x3f88, 0x8001}, {0x3f84, 0x3f98, 0x0001},
      {0x3f84, 0x3f98, 0x8001}, {0xbf88, 0x3f88, 0x0001}, {0x1f81, 0x1fc1, 0x8001},
      {0x4049, 0x3eab, 0xbf80}, {0x4049, 0x4049, 0xc11e}, {0x3f80, 0x4040, 0x0000},
      {0x1f84, 0x1f98, 0x8000}, {0x1e01, 0x1e81, 0x0000}, {0x0000, 0x8000, 0x0000},
      {0x7f80, 0x0000, 0x3f80}, {0x7f80, 0x7f80, 0xff80}, {0x7fc0, 0x3f80, 0x3f80},
      {0x3f80, 0x3f80, 0x7fc0}, {0x3e80, 0x3f00, 0x3f00}, {0x3f80, 0x3f00, 0x3f80}};
  show<half>("half", halves);
  show<nv_bfloat16>("bfloat16", bfloats);
}
