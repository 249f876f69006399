// What fast matrix kernels do: local arrays in registers, unrolled loops, float4 views of shared
// memory, several results a thread.
#include <cstdio>

template <int Tile, int PerThread>
__global__ void multiply(const float* a, const float* b, float* c, int n) {
  constexpr int threads = Tile / PerThread;
  __shared__ __align__(16) float left[Tile][Tile], right[Tile][Tile];
  int row = threadIdx.y * PerThread, column = threadIdx.x * PerThread;
  int thread = threadIdx.y * threads + threadIdx.x;
  float sums[PerThread][PerThread] = {};
  for (int begin = 0; begin < n; begin += Tile) {
    for (int i = thread; i < Tile * Tile / 4; i += threads * threads) {
      int y = i * 4 / Tile, x = i * 4 % Tile;
      *(float4*)&left[y][x] = *(const float4*)&a[(blockIdx.y * Tile + y) * n + begin + x];
      reinterpret_cast<float4*>(right[y])[x / 4] =
          reinterpret_cast<const float4*>(b + (begin + y) * n + blockIdx.x * Tile)[x / 4];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < Tile; ++k) {
      float x[PerThread], y[PerThread];
#pragma unroll
      for (int i = 0; i < PerThread; ++i) x[i] = left[row + i][k], y[i] = right[k][column + i];
#pragma unroll
      for (int i = 0; i < PerThread; ++i)
#pragma unroll
        for (int j = 0; j < PerThread; ++j) sums[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < PerThread; ++i)
    for (int j = 0; j < PerThread; ++j)
      c[(blockIdx.y * Tile + row + i) * n + blockIdx.x * Tile + column + j] = sums[i][j];
}

int main() {
  constexpr int n = 64;
  float *a, *b, *c;
  cudaMallocManaged(&a, n * n * sizeof(float));
  cudaMallocManaged(&b, n * n * sizeof(float));
  cudaMallocManaged(&c, n * n * sizeof(float));
  for (int i = 0; i < n * n; ++i) a[i] = i % 7 - 3, b[i] = i % 5 - 2;
  multiply<32, 4><<<dim3(n / 32, n / 32), dim3(8, 8)>>>(a, b, c, n);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
      wrong += c[y * n + x] != sum;
    }
  }
  printf("%d wrong, %g %g\n", wrong, c[0], c[n * n - 1]);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
