// Grid-stride loops, guards at ragged edges, and blocks that have nothing to do.
#include <cstdio>

__global__ void saxpy(int n, float a, const float* x, float* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    y[i] = a * x[i] + y[i];
  }
}

__global__ void transpose(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < columns && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * columns + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  if (x < rows && y < columns) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

int main() {
  constexpr int rows = 37, columns = 50, n = rows * columns;
  static float x[n], y[n], out[n];
  for (int i = 0; i < n; ++i) x[i] = i, y[i] = i % 10;
  float *dx, *dy;
  cudaMalloc(&dx, sizeof x);
  cudaMalloc(&dy, sizeof y);
  cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
  cudaMemcpy(dy, y, sizeof y, cudaMemcpyHostToDevice);
  for (int blocks : {1, 7, 1000}) saxpy<<<blocks, 64>>>(n, 2.0f, dx, dy);
  cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost);
  printf("%g %g %g\n", y[1], y[1000], y[n - 1]);
  transpose<<<dim3((columns + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>(dx, dy, rows, columns);
  cudaMemcpy(out, dy, sizeof out, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) wrong += out[c * rows + r] != x[r * columns + c];
  printf("%d wrong\n", wrong);
  cudaFree(dx);
  cudaFree(dy);
}
