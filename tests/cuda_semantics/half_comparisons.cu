// Comparisons of half and bfloat16, ordered and unordered, of numbers and pairs; minimum and
// maximum; what is NaN or infinite.
#include <cstdio>
#include <cuda_bf16.h>

template <class H, class H2>
__device__ void compare(H a, H b) {
  printf("%d%d%d%d%d%d ", __heq(a, b), __hne(a, b), __hlt(a, b), __hle(a, b), __hgt(a, b),
         __hge(a, b));
  printf("%d%d%d%d%d%d ", __hequ(a, b), __hneu(a, b), __hltu(a, b), __hleu(a, b), __hgtu(a, b),
         __hgeu(a, b));
  printf("%d%d%d%d%d%d ", a == b, a != b, a < b, a <= b, a > b, a >= b);
  printf("%d%d ", __hisnan(a), __hisinf(a));
  printf("min %g %g max %g %g\n", (float)__hmin(a, b), (float)__hmin_nan(a, b), (float)__hmax(a, b),
         (float)__hmax_nan(a, b));
  H2 x(a, b), y(b, b);
  printf("  pair %d%d%d%d%d%d ", __hbeq2(x, y), __hbne2(x, y), __hblt2(x, y), __hble2(x, y),
         __hbgt2(x, y), __hbge2(x, y));
  printf("%d%d%d%d%d%d ", __hbequ2(x, y), __hbneu2(x, y), __hbltu2(x, y), __hbleu2(x, y),
         __hbgtu2(x, y), __hbgeu2(x, y));
  printf("%d%d%d%d%d%d ", x == y, x != y, x < y, x <= y, x > y, x >= y);
  printf("%08x %08x %08x ", __heq2_mask(x, y), __hltu2_mask(x, y), __hge2_mask(x, y));
  H2 equal = __heq2(x, y), less = __hltu2(x, y), nan = __hisnan2(x);
  printf("%g,%g %g,%g %g,%g\n", (float)equal.x, (float)equal.y, (float)less.x, (float)less.y,
         (float)nan.x, (float)nan.y);
}

__global__ void compare_all(const float* in, int count) {
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < count; ++k) {
      printf("%g %g: ", in[i], in[k]);
      compare<half, half2>(__float2half(in[i]), __float2half(in[k]));
      printf("%g %g: ", in[i], in[k]);
      compare<nv_bfloat16, nv_bfloat162>(__float2bfloat16(in[i]), __float2bfloat16(in[k]));
    }
}

int main() {
  const float numbers[] = {1, -1, 0, -0.0f, 0x1p-24f, INFINITY, -INFINITY, NAN};
  float* in;
  cudaMallocManaged(&in, sizeof numbers);
  int count = 0;
  for (float number : numbers) in[count++] = number;
  compare_all<<<1, 1>>>(in, count);
  cudaDeviceSynchronize();
  cudaFree(in);
}
