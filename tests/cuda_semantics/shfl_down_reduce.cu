// The usual reduction by __shfl_down_sync, in float and in double: lane 0 has the sum.
#include <cstdio>

template <typename T>
__global__ void sums(const T* in, T* out) {
  T sum = in[blockIdx.x * 32 + threadIdx.x];
  for (int by = 16; by > 0; by /= 2) sum += __shfl_down_sync(0xffffffff, sum, by);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

template <typename T>
static void run(const char* name) {
  T *in, *out;
  cudaMallocManaged(&in, 128 * sizeof(T));
  cudaMallocManaged(&out, 4 * sizeof(T));
  for (int i = 0; i < 128; ++i) in[i] = T(i) / 4;
  sums<<<4, 32>>>(in, out);
  cudaDeviceSynchronize();
  printf("%s: %g %g %g %g\n", name, double(out[0]), double(out[1]), double(out[2]),
         double(out[3]));
  cudaFree(in);
  cudaFree(out);
}

int main() {
  run<float>("float");
  run<double>("double");
  run<int>("int");
}
