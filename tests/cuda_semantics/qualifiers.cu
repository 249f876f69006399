// Qualifiers in every order, attributes that change nothing, digit separators, and the macros that
// tell device code from host code.
#include <cstdio>

static __device__ __forceinline__ int first(int x) { return x + 1; }
__device__ static inline int second(int x) { return x * 2; }
__host__ __device__ constexpr int third(int x) { return x - 3; }
inline __noinline__ __device__ int fourth(const int* __restrict__ p) { return *p; }
__constant__ const int fifth = 1'000'000;

void __global__ kernel(int* __restrict__ out, const int n) {
  float __shared__ shared_first[4];
  __shared__ __align__(16) int aligned[4];
  const unsigned i = threadIdx.x;
  if (i < 4) shared_first[i] = i * 0.5f, aligned[i] = 0x10'00;
  __syncthreads();
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  int arch = 1;
#else
  int arch = 0;
#endif
#pragma unroll 4
  for (int k = 0; k < n; ++k) arch += 10;
#pragma unroll
  for (int k = 0; k < 3; k++) {
    if (__builtin_expect(k == 2, 0)) continue;
    arch += 100;
  }
  out[i] = first(second(third(i))) + fourth(out + 32 + i) + arch + fifth + aligned[i % 4] +
           (int)(2 * shared_first[i % 4]);
}

template <class T>
static __global__ void __launch_bounds__(64) plain(T* const p) {
  p[threadIdx.x] += T(sizeof(T));
}

int main() {
  int* out;
  cudaMallocManaged(&out, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i) out[i] = 10'000 * i;
  kernel<<<1, 32>>>(out, 7);
  plain<<<1, 8>>>(out);
  cudaDeviceSynchronize();
  for (int i : {0, 7, 8, 31}) printf("%d ", out[i]);
  printf("%d\n", third(10));
  cudaFree(out);
}
