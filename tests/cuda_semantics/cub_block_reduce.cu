// cub::BlockReduce: sums and other operators, partial blocks, several items a thread, two- and
// three-dimensional blocks, an own type, an operator that does not commute.
#include <cstdio>
#include <cub/block/block_reduce.cuh>

struct Span {
  int first, last, count;
};

struct Join {
  __device__ Span operator()(const Span& a, const Span& b) const {
    return {a.first, b.last, a.count + b.count};
  }
};

struct Largest {
  __device__ float operator()(float a, float b) const { return a < b ? b : a; }
};

__global__ void rows(const int* in, int* out) {
  using Reduce = cub::BlockReduce<int, 96>;
  __shared__ typename Reduce::TempStorage storage;
  int v = in[blockIdx.x * 96 + threadIdx.x];
  int sum = Reduce(storage).Sum(v);
  __syncthreads();
  int first = Reduce(storage).Sum(v, 40);
  __syncthreads();
  int pair[2] = {v, 1};
  int both = Reduce(storage).Sum(pair);
  if (threadIdx.x == 0) {
    out[blockIdx.x * 3] = sum;
    out[blockIdx.x * 3 + 1] = first;
    out[blockIdx.x * 3 + 2] = both;
  }
}

template <cub::BlockReduceAlgorithm algorithm>
__global__ void planes(const float* in, float* out) {
  using Reduce = cub::BlockReduce<float, 8, algorithm, 4, 3>;
  __shared__ typename Reduce::TempStorage storage;
  int rank = threadIdx.x + 8 * (threadIdx.y + 4 * threadIdx.z);
  float largest = Reduce(storage).Reduce(in[rank], Largest());
  if (rank == 0) *out = largest;
}

__global__ void spans(Span* out) {
  using Reduce = cub::BlockReduce<Span, 70>;
  __shared__ union {
    typename Reduce::TempStorage reduce;
    double other[2];
  } storage;
  int i = threadIdx.x;
  Span all = Reduce(storage.reduce).Reduce(Span{i, i, 1}, Join{});
  if (i == 0) *out = all;
}

int main() {
  static int in[288], out[9];
  static float values[96];
  for (int i = 0; i < 288; ++i) in[i] = i * i % 101;
  for (int i = 0; i < 96; ++i) values[i] = (i * 37 % 96) * 0.5f;
  int *d_in, *d_out;
  float* d_values;
  Span* d_span;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof out);
  cudaMalloc(&d_values, sizeof values + sizeof(float));
  cudaMalloc(&d_span, sizeof(Span));
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice);
  rows<<<3, 96>>>(d_in, d_out);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int value : out) printf("%d ", value);
  float largest;
  planes<cub::BLOCK_REDUCE_RAKING><<<1, dim3(8, 4, 3)>>>(d_values, d_values + 96);
  cudaMemcpy(&largest, d_values + 96, sizeof largest, cudaMemcpyDeviceToHost);
  printf("\n%g ", largest);
  planes<cub::BLOCK_REDUCE_WARP_REDUCTIONS><<<1, dim3(8, 4, 3)>>>(d_values, d_values + 96);
  cudaMemcpy(&largest, d_values + 96, sizeof largest, cudaMemcpyDeviceToHost);
  Span span;
  spans<<<1, 70>>>(d_span);
  cudaMemcpy(&span, d_span, sizeof span, cudaMemcpyDeviceToHost);
  printf("%g %d %d %d\n", largest, span.first, span.last, span.count);
}
