// Each block has its own shared memory, and a kernel's variables are apart from another's.
#include <cstdio>

__global__ void sums(const int* in, int* out) {
  __shared__ int total;
  __shared__ int seen[64];
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  seen[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  atomicAdd(&total, seen[63 - threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = total;
}

template <int N>
__global__ void rows(float* out) {
  __shared__ float tile[N][N + 1];
  tile[threadIdx.y][threadIdx.x] = threadIdx.x + N * threadIdx.y + 1000 * blockIdx.x;
  __syncthreads();
  out[(blockIdx.x * N + threadIdx.y) * N + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

struct Point {
  float x, y;
};

__global__ void points(float* out) {
  __shared__ Point corners[4];
  if (threadIdx.x < 4) corners[threadIdx.x] = {1.0f * threadIdx.x, 2.0f * blockIdx.x};
  __syncthreads();
  out[blockIdx.x * 4 + threadIdx.x % 4] = corners[3 - threadIdx.x % 4].x + corners[0].y;
}

int main() {
  static int in[10 * 64], out[10];
  static float values[6 * 64];
  for (int i = 0; i < 640; ++i) in[i] = i % 13;
  int *d_in, *d_out;
  float* d_values;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof out);
  cudaMalloc(&d_values, sizeof values);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  sums<<<10, 64>>>(d_in, d_out);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int total : out) printf("%d ", total);
  rows<8><<<6, dim3(8, 8)>>>(d_values);
  cudaMemcpy(values, d_values, sizeof values, cudaMemcpyDeviceToHost);
  printf("\n%g %g %g\n", values[1], values[64 + 9], values[5 * 64 + 63]);
  rows<4><<<6, dim3(4, 4)>>>(d_values);
  points<<<2, 32>>>(d_values + 96);
  cudaMemcpy(values, d_values, sizeof values, cudaMemcpyDeviceToHost);
  printf("%g %g %g\n", values[1], values[16 + 6], values[5 * 16 + 15]);
  for (int i = 0; i < 8; ++i) printf("%g ", values[96 + i]);
  printf("\n");
  cudaFree(d_in);
  cudaFree(d_out);
  cudaFree(d_values);
}
