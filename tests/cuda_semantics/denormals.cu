// Denormal numbers are kept, in single and in double precision; fmaf and fma round once.
#include <cstdio>

__global__ void tiny(float* out, double* wide, float small, double smaller) {
  out[0] = small * 0.5f;
  out[1] = small * 0.5f + small * 0.25f;
  out[2] = small / 3.0f;
  out[3] = fmaf(small, 0.5f, -small);
  out[4] = fmaf(1.0f + 0x1p-12f, 1.0f + 0x1p-12f, -1.0f - 0x1p-11f);
  out[5] = __fmul_rn(small, 0.125f);
  out[6] = __fadd_rn(out[5], -small);
  out[7] = fabsf(-out[0]);
  wide[0] = smaller * 0.5;
  wide[1] = smaller / 3.0;
  wide[2] = fma(1.0 + 0x1p-30, 1.0 + 0x1p-30, -1.0 - 0x1p-29);
  wide[3] = (double)out[0] * 2;
}

int main() {
  float* out;
  double* wide;
  cudaMallocManaged(&out, 8 * sizeof(float));
  cudaMallocManaged(&wide, 4 * sizeof(double));
  tiny<<<1, 1>>>(out, wide, 1.17549435e-38f, 2.2250738585072014e-308);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; ++i) printf("%a ", out[i]);
  printf("\n");
  for (int i = 0; i < 4; ++i) printf("%a ", wide[i]);
  printf("\n");
  cudaFree(out);
  cudaFree(wide);
}
