// float and double to bfloat16, in all ways of rounding: ties, denormals, overflow, zeros.
#include <cstdio>
#include <cuda_bf16.h>

constexpr int count = 24;

__global__ void convert(const unsigned* floats, const double* doubles, unsigned short* out) {
  int i = threadIdx.x;
  float x = __uint_as_float(floats[i]);
  out[6 * i] = __bfloat16_as_ushort(__float2bfloat16_rn(x));
  out[6 * i + 1] = __bfloat16_as_ushort(__float2bfloat16_rz(x));
  out[6 * i + 2] = __bfloat16_as_ushort(__float2bfloat16_rd(x));
  out[6 * i + 3] = __bfloat16_as_ushort(__float2bfloat16_ru(x));
  out[6 * i + 4] = __bfloat16_as_ushort(__double2bfloat16(doubles[i]));
  out[6 * i + 5] = __bfloat16_as_ushort(nv_bfloat16(x));
}

int main() {
  // Each tie stands between two numbers whose lower one is even or odd; with it, its neighbours.
  const unsigned numbers[count] = {
      0x3f808000, 0x3f808001, 0x3f807fff, 0x3f818000, 0x3f817fff, 0xbf808000, 0xbf818000,
      0x00008000, 0x00008001, 0x00007fff, 0x00018000, 0x80008000, 0x007f8000, 0x007f7fff,
      0x00800000, 0x7f7f0000, 0x7f7f7fff, 0x7f7f8000, 0xff7f8000, 0x00000001, 0x80000001,
      0x80000000, 0x7f800000, 0xff800000};
  // A float can't tell most of these from a tie.
  const double near_ties[count] = {1 + 0x1p-8,
                                   1 + 0x1p-8 + 0x1p-52,
                                   1 + 0x1p-8 - 0x1p-53,
                                   1 + 0x3p-8,
                                   1 + 0x3p-8 - 0x1p-52,
                                   -1 - 0x1p-8,
                                   -1 - 0x1p-8 - 0x1p-52,
                                   0x1p-134,
                                   0x1.0000000000001p-134,
                                   0x1.fffffffffffffp-135,
                                   0x1.8p-133,
                                   0x1.7ffffffffffffp-133,
                                   -0x1p-134,
                                   -0x1.0000000000001p-134,
                                   0x1.fep127,
                                   0x1.fefffffffffffp127,
                                   0x1.ffp127,
                                   -0x1.ffp127,
                                   1e300,
                                   -1e300,
                                   1e-300,
                                   -1e-300,
                                   0.1,
                                   1.0 / 3};
  unsigned* floats;
  double* doubles;
  unsigned short* out;
  cudaMallocManaged(&floats, sizeof numbers);
  cudaMallocManaged(&doubles, sizeof near_ties);
  cudaMallocManaged(&out, 6 * count * sizeof *out);
  for (int i = 0; i < count; ++i) {
    floats[i] = numbers[i];
    doubles[i] = near_ties[i];
  }
  convert<<<1, count>>>(floats, doubles, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < count; ++i) {
    const unsigned short* o = out + 6 * i;
    printf("%08x rn %04x rz %04x rd %04x ru %04x nv_bfloat16() %04x\n", numbers[i], o[0], o[1],
           o[2], o[3], o[5]);
  }
  for (int i = 0; i < count; ++i) printf("%a rn %04x\n", near_ties[i], out[6 * i + 4]);
  cudaFree(floats);
  cudaFree(doubles);
  cudaFree(out);
}
