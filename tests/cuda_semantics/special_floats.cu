// NaN, infinities and signed zeros in comparisons, fmin and fmax, conversions to integers, and by
// their bits.
#include <cmath>
#include <cstdio>

__global__ void specials(const float* in, int* out) {
  int i = threadIdx.x;
  float x = in[i], y = in[(i + 1) % 8];
  int* mine = out + i * 6;
  mine[0] = (x < y) + 2 * (x == y) + 4 * (x > y) + 8 * (x != y);
  mine[1] = isnan(x) + 2 * (isinf(x) != 0) + 4 * (signbit(x) != 0) + 8 * (isfinite(x) != 0);
  mine[2] = __float_as_int(fminf(x, 1.0f));
  mine[3] = __float_as_int(fmaxf(x, -1.0f));
  mine[4] = __float2int_rz(x);
  mine[5] = __float2uint_rn(x);
}

int main() {
  float* in;
  int* out;
  cudaMallocManaged(&in, 8 * sizeof(float));
  cudaMallocManaged(&out, 48 * sizeof(int));
  float zero = 0;
  float values[8] = {zero, -zero, 1 / zero, -1 / zero, NAN, 2.5f, -2.5f, 3e10f};
  for (int i = 0; i < 8; ++i) in[i] = values[i];
  specials<<<1, 8>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; ++i) {
    for (int k = 0; k < 6; ++k) printf("%d ", out[i * 6 + k]);
    printf("\n");
  }
  cudaFree(in);
  cudaFree(out);
}
