// Kernels of every kind behind <<<>>>: deduced, explicit, overloaded, default template arguments,
// static members, namespaces, function pointers, functors, template parameters.
#include <cstdio>

template <typename T>
__global__ void fill(T* out, T value) {
  out[threadIdx.x] = value;
}

template <int N, typename T = int>
__global__ void scale(T* out) {
  out[threadIdx.x] *= N;
}

__global__ void add(int* out, int value) { out[threadIdx.x] += value; }
__global__ void add(float* out, float value) { out[threadIdx.x] += value; }

namespace outer {
namespace inner {
__global__ void negate(int* out) { out[threadIdx.x] = -out[threadIdx.x]; }
}  // namespace inner
}  // namespace outer

struct Square {
  __device__ int operator()(int x) const { return x * x; }
};
struct Plus {
  int amount;
  __device__ int operator()(int x) const { return x + amount; }
};

template <typename F>
__global__ void apply(int* out, F function) {
  out[threadIdx.x] = function(out[threadIdx.x]);
}

template <void (*Kernel)(int*, int)>
void launch_parameter(int* out, int value) {
  Kernel<<<1, 8>>>(out, value);
}

template <typename T, int Block>
void launch_dependent(T* out) {
  fill<T><<<1, Block>>>(out, T(3));
  scale<Block, T><<<1, Block>>>(out);
}

#define LAUNCH(kernel, ...) kernel<<<1, 8>>>(__VA_ARGS__)

static int host[8];
static void show(const char* name, const int* out) {
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%s: %d %d\n", name, host[0], host[7]);
}

int main() {
  int* out;
  float* reals;
  cudaMalloc(&out, 8 * sizeof(int));
  cudaMalloc(&reals, 8 * sizeof(float));
  fill<<<1, 8>>>(out, 5);
  show("deduced", out);
  scale<3><<<1, 8>>>(out);
  show("explicit", out);
  add<<<1, 8>>>(out, 2);
  show("overloaded", out);
  fill<float><<<1, 8>>>(reals, 1);
  add<<<1, 8>>>(reals, 0.5f);
  float value;
  cudaMemcpy(&value, reals + 7, sizeof value, cudaMemcpyDeviceToHost);
  printf("float: %g\n", value);
  outer::inner::negate<<<1, 8>>>(out);
  show("namespace", out);
  apply<<<1, 8>>>(out, Square());
  show("functor", out);
  apply<<<1, 8>>>(out, Plus{11});
  show("functor with state", out);
  void (*pointer)(int*, int) = add;
  pointer<<<1, 8>>>(out, -300);
  show("pointer", out);
  launch_parameter<add>(out, 1);
  show("template parameter", out);
  launch_dependent<int, 8>(out);
  show("dependent", out);
  LAUNCH(add, out, 100);
  LAUNCH((scale<2, int>), out);
  show("macro", out);
  cudaFree(out);
  cudaFree(reals);
}
