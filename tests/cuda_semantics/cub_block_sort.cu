// cub::BlockRadixSort and BlockMergeSort: order, stability, some of the bits, values with keys.
#include <cstdio>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>

__global__ void keys(const float* in, float* out) {
  using Sort = cub::BlockRadixSort<float, 32, 3>;
  __shared__ typename Sort::TempStorage storage;
  float items[3];
  for (int i = 0; i < 3; ++i) items[i] = in[threadIdx.x * 3 + i];
  Sort(storage).Sort(items);
  for (int i = 0; i < 3; ++i) out[threadIdx.x * 3 + i] = items[i];
  __syncthreads();
  Sort(storage).SortDescendingBlockedToStriped(items);
  for (int i = 0; i < 3; ++i) out[96 + threadIdx.x + 32 * i] = items[i];
}

__global__ void pairs(const float* in, int* out) {
  using Sort = cub::BlockRadixSort<unsigned, 32, 3, int>;
  __shared__ typename Sort::TempStorage storage;
  unsigned items[3];
  int from[3];
  for (int i = 0; i < 3; ++i) {
    from[i] = threadIdx.x * 3 + i;
    items[i] = unsigned(in[from[i]] + 64);
  }
  Sort(storage).Sort(items, from, 1, 3);
  for (int i = 0; i < 3; ++i) out[threadIdx.x * 3 + i] = from[i];
}

struct ByLastDigit {
  __device__ bool operator()(int a, int b) const { return a % 10 < b % 10; }
};

__global__ void merges(int* out) {
  using Sort = cub::BlockMergeSort<int, 32, 2>;
  __shared__ typename Sort::TempStorage storage;
  int items[2] = {int(63 - 2 * threadIdx.x), int(62 - 2 * threadIdx.x)};
  Sort(storage).Sort(items, ByLastDigit());
  out[2 * threadIdx.x] = items[0];
  out[2 * threadIdx.x + 1] = items[1];
}

int main() {
  static float in[96], out[192];
  static int places[96];
  for (int i = 0; i < 96; ++i) in[i] = float(i * 55 % 96) - 40.0f;
  in[5] = -0.0f;
  float *d_in, *d_out;
  int* d_places;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof out);
  cudaMalloc(&d_places, sizeof places);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  keys<<<1, 32>>>(d_in, d_out);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 192; i += 13) printf("%g ", out[i]);
  printf("\n");
  pairs<<<1, 32>>>(d_in, d_places);
  cudaMemcpy(places, d_places, sizeof places, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 96; i += 7) printf("%d ", places[i]);
  printf("\n");
  merges<<<1, 32>>>(d_places);
  cudaMemcpy(places, d_places, 64 * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; i += 3) printf("%d ", places[i]);
  printf("\n");
}
