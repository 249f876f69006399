// cub::DeviceRadixSort, DeviceSegmentedRadixSort and DeviceMergeSort: types, both directions, some
// of the bits, stability, double buffers.
#include <cstdio>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_radix_sort.cuh>

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

template <class T>
void show(const T* d, int n) {
  T* values = new T[n];
  cudaMemcpy(values, d, n * sizeof(T), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i += n / 6) printf("%g ", double(values[i]));
  printf("%g\n", double(values[n - 1]));
  delete[] values;
}

template <class T>
void keys(int n) {
  T* in = new T[n];
  for (int i = 0; i < n; ++i) in[i] = T((i * 7919ll % 10007 - 5000) * (T(0.5) == T(0) ? 1 : 0.5));
  T *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(T));
  cudaMalloc(&d_out, n * sizeof(T));
  cudaMemcpy(d_in, in, n * sizeof(T), cudaMemcpyHostToDevice);
  twice([&](void* t) { return cub::DeviceRadixSort::SortKeys(t, bytes, d_in, d_out, n); });
  show(d_out, n);
  twice([&](void* t) { return cub::DeviceRadixSort::SortKeysDescending(t, bytes, d_in, d_out, n); });
  show(d_out, n);
  cudaFree(d_in);
  cudaFree(d_out);
  delete[] in;
}

struct Point {
  int x, y;
};
struct ByX {
  __device__ bool operator()(const Point& a, const Point& b) const { return a.x < b.x; }
};

int main() {
  keys<int>(9000);
  keys<unsigned>(9000);
  keys<float>(9000);
  keys<double>(2000);
  keys<unsigned char>(500);
  keys<long long>(100);

  const int n = 3000;
  static unsigned in[n];
  static int places[n];
  static Point points[n];
  for (int i = 0; i < n; ++i) {
    in[i] = unsigned(i) * 2654435761u;
    places[i] = i;
    points[i] = {i * 31 % 50, i};
  }
  unsigned *d_keys, *d_keys2;
  int *d_places, *d_places2;
  Point* d_points;
  cudaMalloc(&d_keys, sizeof in);
  cudaMalloc(&d_keys2, sizeof in);
  cudaMalloc(&d_places, sizeof places);
  cudaMalloc(&d_places2, sizeof places);
  cudaMalloc(&d_points, sizeof points);
  cudaMemcpy(d_keys, in, sizeof in, cudaMemcpyHostToDevice);
  cudaMemcpy(d_places, places, sizeof places, cudaMemcpyHostToDevice);
  cudaMemcpy(d_points, points, sizeof points, cudaMemcpyHostToDevice);
  twice([&](void* t) { return cub::DeviceRadixSort::SortPairs(t, bytes, d_keys, d_keys2, d_places, d_places2, n); });
  show(d_places2, n);
  twice([&](void* t) { return cub::DeviceRadixSort::SortPairsDescending(t, bytes, d_keys, d_keys2, d_places, d_places2, n, 4, 9); });
  show(d_places2, n);
  int offsets[] = {0, 10, 10, 1500, n}, *d_offsets;
  cudaMalloc(&d_offsets, sizeof offsets);
  cudaMemcpy(d_offsets, offsets, sizeof offsets, cudaMemcpyHostToDevice);
  twice([&](void* t) { return cub::DeviceSegmentedRadixSort::SortPairs(t, bytes, d_keys, d_keys2, d_places, d_places2, n, 4, d_offsets, d_offsets + 1); });
  show(d_places2, n);
  cub::DoubleBuffer<unsigned> buffer(d_keys, d_keys2);
  cub::DoubleBuffer<int> values(d_places, d_places2);
  twice([&](void* t) { return cub::DeviceRadixSort::SortPairs(t, bytes, buffer, values, n, 8); });
  show(values.Current(), n);
  twice([&](void* t) { return cub::DeviceMergeSort::StableSortKeys(t, bytes, d_points, n, ByX()); });
  cudaMemcpy(points, d_points, sizeof points, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i += 500) printf("%d,%d ", points[i].x, points[i].y);
  printf("\n");
}
