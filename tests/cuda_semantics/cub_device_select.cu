// cub::DeviceSelect, DevicePartition, DeviceRunLengthEncode, DeviceHistogram.
#include <cstdio>
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_partition.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_select.cuh>

struct Odd {
  __host__ __device__ bool operator()(int a) const { return a & 1; }
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

int main() {
  const int n = 4000;
  static int in[n], out[n];
  static char flags[n];
  static float samples[n];
  static unsigned char pixels[n];
  for (int i = 0; i < n; ++i) {
    in[i] = i * i / 64 % 97;
    flags[i] = i % 5 == 2;
    samples[i] = (i * 37 % 1000) * 0.01f;
    pixels[i] = (unsigned char)(i * 3);
  }
  int *d_in, *d_out, *d_out2, *d_count;
  char* d_flags;
  float* d_samples;
  unsigned char* d_pixels;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof in);
  cudaMalloc(&d_out2, sizeof in);
  cudaMalloc(&d_count, 2 * sizeof(int));
  cudaMalloc(&d_flags, sizeof flags);
  cudaMalloc(&d_samples, sizeof samples);
  cudaMalloc(&d_pixels, sizeof pixels);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  cudaMemcpy(d_flags, flags, sizeof flags, cudaMemcpyHostToDevice);
  cudaMemcpy(d_samples, samples, sizeof samples, cudaMemcpyHostToDevice);
  cudaMemcpy(d_pixels, pixels, sizeof pixels, cudaMemcpyHostToDevice);
  auto show = [&](const int* d, int step) {
    int count;
    cudaMemcpy(&count, d_count, sizeof count, cudaMemcpyDeviceToHost);
    cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost);
    printf("%d:", count);
    for (int i = 0; i < count; i += step) printf(" %d", out[i]);
    printf("\n");
  };

  twice([&](void* t) { return cub::DeviceSelect::If(t, bytes, d_in, d_out, d_count, n, Odd()); });
  show(d_out, 200);
  twice([&](void* t) { return cub::DeviceSelect::Flagged(t, bytes, d_in, d_flags, d_out, d_count, n); });
  show(d_out, 100);
  twice([&](void* t) { return cub::DeviceSelect::Unique(t, bytes, d_in, d_out, d_count, n); });
  show(d_out, 300);
  twice([&](void* t) { return cub::DevicePartition::If(t, bytes, d_in, d_out, d_count, n, Odd()); });
  show(d_out, 200);
  printf("%d %d\n", out[n - 1], out[n - 2]);
  twice([&](void* t) { return cub::DeviceRunLengthEncode::Encode(t, bytes, d_in, d_out, d_out2, d_count, n); });
  show(d_out2, 150);

  twice([&](void* t) { return cub::DeviceHistogram::HistogramEven(t, bytes, d_samples, d_out, 9, 1.0f, 9.0f, n); });
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 8; ++i) printf("%d ", out[i]);
  twice([&](void* t) { return cub::DeviceHistogram::HistogramEven(t, bytes, d_pixels, d_out, 6, 0, 250, n); });
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 5; ++i) printf("%d ", out[i]);
  float levels[] = {0, 0.5f, 5, 20}, *d_levels;
  cudaMalloc(&d_levels, sizeof levels);
  cudaMemcpy(d_levels, levels, sizeof levels, cudaMemcpyHostToDevice);
  twice([&](void* t) { return cub::DeviceHistogram::HistogramRange(t, bytes, d_samples, d_out, 4, d_levels, n); });
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  printf("%d %d %d\n", out[0], out[1], out[2]);
}
