// cudaLaunchKernel: arguments of every kind by their addresses, kernels cast to void*, templates.
#include <cstdio>

struct Options {
  int first;
  double factor;
};

__global__ void fill(float* out, Options options, char letter, long long big) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = options.first + options.factor * i + (letter == 'x') * 1000 + (big >> 40);
}

template <typename T, int N>
__global__ void scale(T* out, T by) {
  out[threadIdx.x] *= by + N;
}

__global__ void nothing() {}

int main() {
  float* out;
  cudaMallocManaged(&out, 64 * sizeof(float));
  Options options = {3, 0.5};
  char letter = 'x';
  long long big = 7ll << 40;
  void* arguments[] = {&out, &options, &letter, &big};
  printf("%d ", cudaLaunchKernel((void*)fill, dim3(2), dim3(32), arguments, 0, 0));
  cudaDeviceSynchronize();
  printf("%g %g\n", out[0], out[63]);
  float by = 2;
  void* others[] = {&out, &by};
  printf("%d ", cudaLaunchKernel((const void*)scale<float, 3>, dim3(1), dim3(32), others, 0, 0));
  printf("%d ", cudaLaunchKernel(reinterpret_cast<const void*>(&scale<float, 1>), dim3(1),
                                 dim3(8), others, size_t(0), cudaStream_t(0)));
  printf("%d ", cudaLaunchKernel(nothing, dim3(1), dim3(1), nullptr));
  cudaDeviceSynchronize();
  printf("%g %g %g\n", out[0], out[8], out[32]);
  cudaFree(out);
}
