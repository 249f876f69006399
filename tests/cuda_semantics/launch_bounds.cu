// __launch_bounds__: a launch of more threads is refused, also where the bound depends on a
// template parameter.
#include <cstdio>

__global__ void __launch_bounds__(128) fixed(int* out) { out[threadIdx.x] = 1; }

template <int Threads>
__global__ __launch_bounds__(Threads * 2, 1) void templated(int* out) {
  out[threadIdx.x] = Threads;
}

static void report(const char* what, int* out) {
  cudaError_t error = cudaGetLastError();
  cudaDeviceSynchronize();
  printf("%s: %s %d %d\n", what, cudaGetErrorName(error), out[0], out[127]);
  out[0] = out[127] = 0;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 1024 * sizeof(int));
  out[0] = out[127] = 0;
  fixed<<<1, 128>>>(out);
  report("128 of 128", out);
  fixed<<<1, 129>>>(out);
  report("129 of 128", out);
  fixed<<<1, dim3(16, 16)>>>(out);
  report("16x16 of 128", out);
  templated<64><<<2, 128>>>(out);
  report("128 of 2*64", out);
  templated<64><<<2, 160>>>(out);
  report("160 of 2*64", out);
  fixed<<<1, 64>>>(out);
  report("64 of 128", out);
  cudaFree(out);
}
