// cub::BlockScan: exclusive and inclusive, with aggregates, initial values, several items a thread,
// and a prefix that is carried from tile to tile by a callback.
#include <cstdio>
#include <cub/block/block_scan.cuh>

struct Max {
  __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};

struct Running {
  int total;
  __device__ int operator()(int aggregate) {
    int before = total;
    total += aggregate;
    return before;
  }
};

__global__ void scans(const int* in, int* out) {
  using Scan = cub::BlockScan<int, 64>;
  __shared__ typename Scan::TempStorage storage;
  int t = threadIdx.x, v = in[t], result, aggregate;
  Scan(storage).ExclusiveSum(v, result);
  out[t] = result;
  __syncthreads();
  Scan(storage).InclusiveSum(v, result, aggregate);
  out[64 + t] = result;
  out[128 + t] = aggregate;
  __syncthreads();
  Scan(storage).ExclusiveScan(v, result, 50, Max());
  out[192 + t] = result;
  __syncthreads();
  Scan(storage).InclusiveScan(v, result, Max(), aggregate);
  out[256 + t] = result + 1000 * aggregate;
}

__global__ void items(const int* in, int* out) {
  using Scan = cub::BlockScan<int, 16, cub::BLOCK_SCAN_WARP_SCANS, 2>;
  __shared__ typename Scan::TempStorage storage;
  int t = threadIdx.x + 16 * threadIdx.y, mine[3], aggregate;
  for (int i = 0; i < 3; ++i) mine[i] = in[3 * t + i];
  Scan(storage).ExclusiveSum(mine, mine, aggregate);
  for (int i = 0; i < 3; ++i) out[3 * t + i] = mine[i];
  __syncthreads();
  for (int i = 0; i < 3; ++i) mine[i] = in[3 * t + i];
  Scan(storage).InclusiveScan(mine, mine, 20, Max());
  for (int i = 0; i < 3; ++i) out[96 + 3 * t + i] = mine[i];
  if (t == 31) out[192] = aggregate;
}

__global__ void tiles(const int* in, int* out, int n) {
  using Scan = cub::BlockScan<int, 32>;
  __shared__ typename Scan::TempStorage storage;
  Running running{100};
  for (int begin = 0; begin < n; begin += 32) {
    int at = begin + threadIdx.x, v = at < n ? in[at] : 0;
    Scan(storage).InclusiveSum(v, v, running);
    if (at < n) out[at] = v;
    __syncthreads();
  }
}

static void show(const int* d, int n, int step) {
  static int values[512];
  cudaMemcpy(values, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i += step) printf("%d ", values[i]);
  printf("%d\n", values[n - 1]);
}

int main() {
  static int in[320];
  for (int i = 0; i < 320; ++i) in[i] = i * 29 % 83;
  int *d_in, *d_out;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, 512 * sizeof(int));
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  scans<<<1, 64>>>(d_in, d_out);
  show(d_out, 320, 16);
  items<<<1, dim3(16, 2)>>>(d_in, d_out);
  show(d_out, 193, 8);
  tiles<<<1, 32>>>(d_in, d_out, 300);
  show(d_out, 300, 20);
}
