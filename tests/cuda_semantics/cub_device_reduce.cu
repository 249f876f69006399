// cub::DeviceReduce and DeviceSegmentedReduce: the two phases, sums, extremes with their places,
// own operators, runs of keys, nothing at all.
#include <climits>
#include <cstdio>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>

struct Xor {
  __host__ __device__ int operator()(int a, int b) const { return a ^ b; }
};
struct Square {
  __host__ __device__ long long operator()(int a) const { return (long long)a * a; }
};
struct Plus {
  __host__ __device__ long long operator()(long long a, long long b) const { return a + b; }
};

void* storage = nullptr;
size_t bytes = 0;

// Calls f twice: for the size and for the work.
template <class Function>
void twice(Function f) {
  bytes = 0;
  if (f(nullptr) != cudaSuccess || bytes == 0) printf("no size ");
  cudaMalloc(&storage, bytes);
  if (f(storage) != cudaSuccess) printf("failed ");
  cudaFree(storage);
}

template <class T>
T fetch(const T* d, int i = 0) {
  T value;
  cudaMemcpy(&value, d + i, sizeof value, cudaMemcpyDeviceToHost);
  return value;
}

int main() {
  const int n = 5000;
  static int in[n];
  for (int i = 0; i < n; ++i) in[i] = (i * 7919 % 10007) - 5000;
  int *d_in, *d_out;
  long long* d_long;
  double* d_double;
  cub::KeyValuePair<int, int>* d_pair;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof in);
  cudaMalloc(&d_long, sizeof(long long));
  cudaMalloc(&d_double, sizeof(double));
  cudaMalloc(&d_pair, 16 * sizeof(*d_pair));
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);

  twice([&](void* t) { return cub::DeviceReduce::Sum(t, bytes, d_in, d_out, n); });
  twice([&](void* t) { return cub::DeviceReduce::Min(t, bytes, d_in, d_out + 1, n); });
  twice([&](void* t) { return cub::DeviceReduce::Max(t, bytes, d_in, d_out + 2, n); });
  twice([&](void* t) { return cub::DeviceReduce::Reduce(t, bytes, d_in, d_out + 3, n, Xor(), 12345); });
  twice([&](void* t) { return cub::DeviceReduce::Sum(t, bytes, d_in, d_double, n); });
  for (int i = 0; i < 4; ++i) printf("%d ", fetch(d_out, i));
  printf("%g\n", fetch(d_double));
  twice([&](void* t) { return cub::DeviceReduce::ArgMin(t, bytes, d_in, d_pair, n); });
  twice([&](void* t) { return cub::DeviceReduce::ArgMax(t, bytes, d_in, d_pair + 1, n); });
  for (int i = 0; i < 2; ++i) printf("%d:%d ", fetch(d_pair, i).key, fetch(d_pair, i).value);
  twice([&](void* t) { return cub::DeviceReduce::TransformReduce(t, bytes, d_in, d_long, n, Plus(), Square(), 0ll); });
  printf("%lld\n", fetch(d_long));

  static int keys[n];
  for (int i = 0; i < n; ++i) keys[i] = i / 700;
  int *d_keys, *d_unique, *d_runs;
  cudaMalloc(&d_keys, sizeof keys);
  cudaMalloc(&d_unique, sizeof keys);
  cudaMalloc(&d_runs, sizeof(int));
  cudaMemcpy(d_keys, keys, sizeof keys, cudaMemcpyHostToDevice);
  twice([&](void* t) { return cub::DeviceReduce::ReduceByKey(t, bytes, d_keys, d_unique, d_in, d_out, d_runs, Xor(), n); });
  printf("%d:", fetch(d_runs));
  for (int i = 0; i < fetch(d_runs); ++i) printf(" %d=%d", fetch(d_unique, i), fetch(d_out, i));

  int offsets[] = {0, 100, 100, 1700, 5000}, *d_offsets;
  cudaMalloc(&d_offsets, sizeof offsets);
  cudaMemcpy(d_offsets, offsets, sizeof offsets, cudaMemcpyHostToDevice);
  printf("\n");
  twice([&](void* t) { return cub::DeviceSegmentedReduce::Sum(t, bytes, d_in, d_out, 4, d_offsets, d_offsets + 1); });
  for (int i = 0; i < 4; ++i) printf("%d ", fetch(d_out, i));
  twice([&](void* t) { return cub::DeviceSegmentedReduce::Max(t, bytes, d_in, d_out, 4, d_offsets, d_offsets + 1); });
  for (int i = 0; i < 4; ++i) printf("%d ", fetch(d_out, i));
  twice([&](void* t) { return cub::DeviceSegmentedReduce::Reduce(t, bytes, d_in, d_out, 4, d_offsets, d_offsets + 1, Xor(), 1); });
  for (int i = 0; i < 4; ++i) printf("%d ", fetch(d_out, i));
  twice([&](void* t) { return cub::DeviceSegmentedReduce::ArgMax(t, bytes, d_in, d_pair, 4, d_offsets, d_offsets + 1); });
  printf("%d:%d %d:%d\n", fetch(d_pair).key, fetch(d_pair).value, fetch(d_pair, 3).key, fetch(d_pair, 3).value);

  twice([&](void* t) { return cub::DeviceReduce::Sum(t, bytes, d_in, d_out, 0); });
  twice([&](void* t) { return cub::DeviceReduce::Min(t, bytes, d_in, d_out + 1, 0); });
  printf("%d %d %s\n", fetch(d_out), fetch(d_out, 1) == INT_MAX, cudaGetErrorName(cudaGetLastError()));
}
