// cub::DeviceScan: sums and other operators, in place, by key, with an initial value that lies in
// device memory.
#include <cstdio>
#include <cub/device/device_scan.cuh>

struct Max {
  __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};
// Not commutative: the composition of x -> a x + b, modulo a prime.
struct Affine {
  unsigned a, b;
};
struct Compose {
  __host__ __device__ Affine operator()(const Affine& f, const Affine& g) const {
    return {f.a * g.a % 65521u, (g.a * f.b + g.b) % 65521u};
  }
};

void* storage = nullptr;
size_t bytes = 0;

template <class Function>
void twice(Function f) {
  bytes = 0;
  if (f(nullptr) != cudaSuccess || bytes == 0) printf("no size ");
  cudaMalloc(&storage, bytes);
  if (f(storage) != cudaSuccess) printf("failed ");
  cudaFree(storage);
}

static void show(const int* d, int n) {
  static int values[20000];
  cudaMemcpy(values, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i += n / 5) printf("%d ", values[i]);
  printf("%d\n", values[n - 1]);
}

int main() {
  const int n = 12345;
  static int in[n], keys[n];
  static Affine maps[n];
  for (int i = 0; i < n; ++i) {
    in[i] = i * 37 % 1009;
    keys[i] = i / 2500;
    maps[i] = {unsigned(i % 7 + 1), unsigned(i % 11)};
  }
  int *d_in, *d_out, *d_keys, *d_initial;
  Affine* d_maps;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof in);
  cudaMalloc(&d_keys, sizeof keys);
  cudaMalloc(&d_initial, sizeof(int));
  cudaMalloc(&d_maps, sizeof maps);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  cudaMemcpy(d_keys, keys, sizeof keys, cudaMemcpyHostToDevice);
  cudaMemcpy(d_maps, maps, sizeof maps, cudaMemcpyHostToDevice);
  int initial = 700;
  cudaMemcpy(d_initial, &initial, sizeof initial, cudaMemcpyHostToDevice);
  cudaStream_t stream;
  cudaStreamCreate(&stream);

  twice([&](void* t) { return cub::DeviceScan::InclusiveSum(t, bytes, d_in, d_out, n); });
  show(d_out, n);
  twice([&](void* t) { return cub::DeviceScan::ExclusiveSum(t, bytes, d_in, d_out, n, stream); });
  cudaStreamSynchronize(stream);
  show(d_out, n);
  twice([&](void* t) { return cub::DeviceScan::InclusiveScan(t, bytes, d_in, d_out, Max(), n); });
  show(d_out, n);
  twice([&](void* t) { return cub::DeviceScan::ExclusiveScan(t, bytes, d_in, d_out, Max(), 500, n); });
  show(d_out, n);
  cub::FutureValue<int> later(d_initial);
  twice([&](void* t) { return cub::DeviceScan::ExclusiveScan(t, bytes, d_in, d_out, Max(), later, n); });
  show(d_out, n);
  twice([&](void* t) { return cub::DeviceScan::InclusiveScanInit(t, bytes, d_in, d_out, Max(), 900, n); });
  show(d_out, n);
  twice([&](void* t) { return cub::DeviceScan::ExclusiveSumByKey(t, bytes, d_keys, d_in, d_out, n); });
  show(d_out, n);
  twice([&](void* t) { return cub::DeviceScan::InclusiveScanByKey(t, bytes, d_keys, d_in, d_out, Max(), n); });
  show(d_out, n);
  twice([&](void* t) { return cub::DeviceScan::InclusiveScan(t, bytes, d_maps, d_maps, Compose(), n); });
  cudaMemcpy(maps, d_maps, sizeof maps, cudaMemcpyDeviceToHost);
  printf("%u %u %u %u\n", maps[300].a, maps[5000].b, maps[n - 1].a, maps[n - 1].b);
  twice([&](void* t) { return cub::DeviceScan::InclusiveSum(t, bytes, d_in, n); });
  show(d_in, n);
}
