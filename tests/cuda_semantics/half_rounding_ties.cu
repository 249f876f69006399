// float and double to half, in all ways of rounding: ties, denormals, overflow, zeros.
#include <cstdio>
#include <cuda_fp16.h>

constexpr int count = 28;

__global__ void convert(const unsigned* floats, const double* doubles, unsigned short* out) {
  int i = threadIdx.x;
  float x = __uint_as_float(floats[i]);
  out[6 * i] = __half_as_ushort(__float2half_rn(x));
  out[6 * i + 1] = __half_as_ushort(__float2half_rz(x));
  out[6 * i + 2] = __half_as_ushort(__float2half_rd(x));
  out[6 * i + 3] = __half_as_ushort(__float2half_ru(x));
  out[6 * i + 4] = __half_as_ushort(__double2half(doubles[i]));
  out[6 * i + 5] = __half_as_ushort(half(x));
}

int main() {
  // Each tie stands between two numbers whose lower one is even or odd; with it, its neighbours.
  const unsigned numbers[count] = {
      0x3f801000, 0x3f801001, 0x3f800fff, 0x3f803000, 0x3f802fff, 0xbf801000, 0xbf803000,
      0x33000000, 0x33000001, 0x32ffffff, 0x33c00000, 0x33c00001, 0x33bfffff, 0xb3000000,
      0x387fe000, 0x387fdfff, 0x38800000, 0x477fe000, 0x477fefff, 0x477ff000, 0x47800000,
      0xc77ff000, 0x7f7fffff, 0x00000001, 0x80000001, 0x80000000, 0x7f800000, 0xff800000};
  // A float can't tell these from a tie: they lie beside it by less than 2^-50 of their size.
  const double near_ties[count] = {
      1 + 0x1p-11, 1 + 0x1p-11 + 0x1p-52, 1 + 0x1p-11 - 0x1p-53, 1 + 0x3p-11, 1 + 0x3p-11 - 0x1p-52,
      -1 - 0x1p-11, -1 - 0x1p-11 - 0x1p-52, 0x1p-25, 0x1.0000000000001p-25, 0x1.fffffffffffffp-26,
      0x1.8p-24, 0x1.8000000000001p-24, 0x1.7ffffffffffffp-24, -0x1p-25, -0x1.0000000000001p-25,
      65519.99999999999, 65520, 65504, 0x1.ffdffffffffffp15, -65520, -65519.99999999999, 1e300,
      -1e300, 1e-300, -1e-300, 0x0.8p-1022, 0.1, 1.0 / 3};
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
    printf("%08x rn %04x rz %04x rd %04x ru %04x half() %04x\n", numbers[i], o[0], o[1], o[2], o[3],
           o[5]);
  }
  for (int i = 0; i < count; ++i) printf("%a rn %04x\n", near_ties[i], out[6 * i + 4]);
  cudaFree(floats);
  cudaFree(doubles);
  cudaFree(out);
}
