// The largest float by atomicCAS on its bits, negative numbers and negative zero included; and the
// sum of doubles the same way.
#include <cstdio>

__device__ void atomic_max(float* cell, float value) {
  int* bits = (int*)cell;
  int old = *bits;
  while (__int_as_float(old) < value) {
    int assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(value));
    if (old == assumed) break;
  }
}

__device__ double atomic_sum(double* cell, double value) {
  unsigned long long* bits = (unsigned long long*)cell;
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}

__global__ void extremes(const float* values, float* most, double* sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomic_max(most, values[i]);
  atomic_sum(sum, values[i]);
}

int main() {
  constexpr int n = 1024;
  float *values, *most;
  double* sum;
  cudaMallocManaged(&values, n * sizeof(float));
  cudaMallocManaged(&most, sizeof(float));
  cudaMallocManaged(&sum, sizeof(double));
  for (float shift : {0.0f, -1e6f, 1e-30f}) {
    for (int i = 0; i < n; ++i) values[i] = (i * 577 % n - 700) * 0.5f + shift;
    *most = -3.4e38f;
    *sum = 0;
    extremes<<<8, 128>>>(values, most, sum);
    cudaDeviceSynchronize();
    printf("%.9g %.9g\n", *most, *sum);
  }
  cudaFree(values);
  cudaFree(most);
  cudaFree(sum);
}
