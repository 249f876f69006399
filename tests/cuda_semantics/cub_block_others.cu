// cub::BlockExchange, BlockHistogram, BlockShuffle, BlockDiscontinuity, BlockAdjacentDifference.
#include <cstdio>
#include <cub/block/block_shuffle.cuh>
#include <cub/cub.cuh>

__global__ void exchange(int* out) {
  using Exchange = cub::BlockExchange<int, 64, 2>;
  __shared__ typename Exchange::TempStorage storage;
  int t = threadIdx.x, items[2] = {2 * t, 2 * t + 1}, ranks[2] = {127 - 2 * t, 126 - 2 * t};
  Exchange(storage).BlockedToStriped(items);
  out[t] = items[0] + 1000 * items[1];
  __syncthreads();
  Exchange(storage).StripedToBlocked(items);
  __syncthreads();
  Exchange(storage).BlockedToWarpStriped(items);
  out[64 + t] = items[0] + 1000 * items[1];
  __syncthreads();
  Exchange(storage).ScatterToBlocked(items, ranks);
  out[128 + t] = items[0] + 1000 * items[1];
}

__global__ void histogram(unsigned* out) {
  using Histogram = cub::BlockHistogram<unsigned char, 64, 2, 16>;
  __shared__ typename Histogram::TempStorage storage;
  __shared__ unsigned bins[16];
  unsigned char items[2] = {(unsigned char)(threadIdx.x % 5), (unsigned char)(threadIdx.x % 16)};
  Histogram(storage).Histogram(items, bins);
  __syncthreads();
  if (threadIdx.x < 16) out[threadIdx.x] = bins[threadIdx.x];
}

struct Differ {
  __device__ bool operator()(int a, int b) const { return a != b; }
};
struct Minus {
  __device__ int operator()(int a, int b) const { return a - b; }
};

__global__ void neighbours(int* out) {
  using Shuffle = cub::BlockShuffle<int, 32>;
  using Discontinuity = cub::BlockDiscontinuity<int, 32>;
  using Difference = cub::BlockAdjacentDifference<int, 32>;
  __shared__ typename Shuffle::TempStorage shuffle;
  __shared__ typename Discontinuity::TempStorage discontinuity;
  __shared__ typename Difference::TempStorage difference;
  int t = threadIdx.x, moved = -1, items[2] = {t * t / 20, (t * t + 9) / 20}, heads[2], tails[2];
  Shuffle(shuffle).Offset(t, moved, 3);
  out[t] = moved;
  __syncthreads();
  Shuffle(shuffle).Rotate(t, moved, 5);
  out[32 + t] = moved;
  Discontinuity(discontinuity).FlagHeadsAndTails(heads, tails, items, Differ());
  out[64 + t] = heads[0] + 10 * heads[1] + 100 * tails[0] + 1000 * tails[1];
  Difference(difference).SubtractLeft(items, items, Minus());
  out[96 + t] = items[0] + 100 * items[1];
}

static void show(const void* d, int n, int step) {
  static int values[256];
  cudaMemcpy(values, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i += step) printf("%d ", values[i]);
  printf("\n");
}

int main() {
  int* d;
  cudaMalloc(&d, 256 * sizeof(int));
  exchange<<<1, 64>>>(d);
  show(d, 192, 9);
  histogram<<<1, 64>>>((unsigned*)d);
  show(d, 16, 1);
  neighbours<<<1, 32>>>(d);
  show(d, 128, 3);
}
