// Conversions and arithmetic in each rounding mode, at ties and beyond the range.
#include <cstdio>

__global__ void modes(const float* in, float* out, int* whole) {
  int i = threadIdx.x;
  float x = in[i];
  float* mine = out + i * 12;
  whole[i * 4] = __float2int_rn(x);
  whole[i * 4 + 1] = __float2int_rz(x);
  whole[i * 4 + 2] = __float2int_ru(x);
  whole[i * 4 + 3] = __float2int_rd(x);
  mine[4] = rintf(x);
  mine[5] = roundf(x);
  mine[6] = truncf(x);
  mine[7] = __fadd_ru(x, 1e-10f) - x;
  mine[8] = x - __fadd_rd(x, -1e-10f);
  mine[9] = __fdiv_rz(x, 3.0f) - __fdiv_ru(x, 3.0f);
  mine[10] = __int2float_rn(16777217 + i) - 16777216.0f;
  mine[11] = __saturatef(x) + nearbyintf(x) * 10;
}

int main() {
  float *in, *out;
  int* whole;
  cudaMallocManaged(&in, 6 * sizeof(float));
  cudaMallocManaged(&out, 72 * sizeof(float));
  cudaMallocManaged(&whole, 24 * sizeof(int));
  float values[6] = {0.5f, 1.5f, 2.5f, -0.5f, -2.5f, 7.25f};
  for (int i = 0; i < 6; ++i) in[i] = values[i];
  modes<<<1, 6>>>(in, out, whole);
  cudaDeviceSynchronize();
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < 4; ++k) printf("%d ", whole[i * 4 + k]);
    for (int k = 4; k < 12; ++k) printf("%g ", out[i * 12 + k]);
    printf("\n");
  }
  cudaFree(in);
  cudaFree(out);
  cudaFree(whole);
}
