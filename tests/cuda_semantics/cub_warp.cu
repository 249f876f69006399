// cub::WarpReduce and WarpScan, for whole and for logical warps.
#include <cstdio>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

struct Max {
  __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};

__global__ void whole(const int* in, int* out) {
  using Reduce = cub::WarpReduce<int>;
  __shared__ typename Reduce::TempStorage storage[4];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, v = in[threadIdx.x];
  int sum = Reduce(storage[warp]).Sum(v);
  int part = Reduce(storage[warp]).Sum(v, 10);
  int largest = Reduce(storage[warp]).Reduce(v, Max());
  int heads = Reduce(storage[warp]).HeadSegmentedSum(v, lane % 8 == 0);
  int tails = Reduce(storage[warp]).TailSegmentedSum(v, lane % 8 == 7);
  if (lane == 0) {
    out[warp * 3] = sum;
    out[warp * 3 + 1] = part;
    out[warp * 3 + 2] = largest;
  }
  if (lane % 8 == 0) out[12 + threadIdx.x / 8] = heads + 10000 * tails;
}

template <int width>
__global__ void logical(const int* in, int* out) {
  using Reduce = cub::WarpReduce<int, width>;
  __shared__ typename Reduce::TempStorage storage[64 / width];
  int group = threadIdx.x / width;
  int sum = Reduce(storage[group]).Sum(in[threadIdx.x]);
  if (threadIdx.x % width == 0) out[group] = sum;
}

__global__ void scans(const int* in, int* out) {
  using Scan = cub::WarpScan<int>;
  using Short = cub::WarpScan<int, 8>;
  __shared__ typename Scan::TempStorage storage[2];
  __shared__ typename Short::TempStorage short_storage[8];
  int warp = threadIdx.x / 32, v = in[threadIdx.x], a, b, total;
  Scan(storage[warp]).InclusiveSum(v, a);
  Scan(storage[warp]).ExclusiveSum(v, b, total);
  out[threadIdx.x] = a - b + 1000 * total;
  Scan(storage[warp]).ExclusiveScan(v, a, 7, Max());
  out[64 + threadIdx.x] = a + 1000 * Scan(storage[warp]).Broadcast(v, 5);
  Short(short_storage[threadIdx.x / 8]).InclusiveSum(v, a);
  out[128 + threadIdx.x] = a;
}

static void show(const int* d, int n, int step) {
  static int values[256];
  cudaMemcpy(values, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i += step) printf("%d ", values[i]);
  printf("\n");
}

int main() {
  static int in[128];
  for (int i = 0; i < 128; ++i) in[i] = i * 43 % 97;
  int *d_in, *d_out;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, 256 * sizeof(int));
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  whole<<<1, 128>>>(d_in, d_out);
  show(d_out, 28, 1);
  logical<16><<<1, 64>>>(d_in, d_out);
  show(d_out, 4, 1);
  logical<4><<<1, 64>>>(d_in, d_out);
  show(d_out, 16, 1);
  scans<<<1, 64>>>(d_in, d_out);
  show(d_out, 192, 7);
}
