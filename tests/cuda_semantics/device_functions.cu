// __device__ functions and variables: recursion, function pointers, constant memory, globals that
// keep their values from launch to launch, classes.
#include <cstdio>

__constant__ int weights[4] = {1, 10, 100, 1000};
__constant__ float factor;
__device__ int counter = 5;
__device__ float table[8];

__device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
__host__ __device__ inline int twice(int x) { return 2 * x; }
__device__ __forceinline__ float square(float x) { return x * x; }
__device__ float half_of(float x) { return x / 2; }

typedef float (*Function)(float);

class Accumulator {
 public:
  __device__ explicit Accumulator(float start) : total(start) {}
  __device__ void add(float value) { total += value; }
  __device__ float get() const { return total; }

 private:
  float total;
};

__global__ void use(int* ints, float* floats) {
  int i = threadIdx.x;
  ints[i] = factorial(i + 1) + twice(weights[i % 4]);
  Function function = i % 2 ? half_of : square;
  Accumulator sum(factor);
  for (int k = 0; k <= i; ++k) sum.add(function(table[k]));
  floats[i] = sum.get();
  if (i == 0) counter += twice(1);
}

int main() {
  int *ints, host_ints[8], count;
  float *floats, host_floats[8], start = 0.5f;
  for (int i = 0; i < 8; ++i) host_floats[i] = i;
  cudaMalloc(&ints, sizeof host_ints);
  cudaMalloc(&floats, sizeof host_floats);
  cudaMemcpyToSymbol(factor, &start, sizeof start);
  cudaMemcpyToSymbol(table, host_floats, sizeof host_floats);
  use<<<1, 8>>>(ints, floats);
  use<<<1, 8>>>(ints, floats);
  cudaMemcpy(host_ints, ints, sizeof host_ints, cudaMemcpyDeviceToHost);
  cudaMemcpy(host_floats, floats, sizeof host_floats, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&count, counter, sizeof count);
  for (int i = 0; i < 8; ++i) printf("%d %g\n", host_ints[i], host_floats[i]);
  printf("%d\n", count);
  cudaFree(ints);
  cudaFree(floats);
}
