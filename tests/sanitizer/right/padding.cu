// A column of padding that nobody writes or reads, and an array of solve's own, written in part.
__global__ void measured(const float* in, float* middle, float* out, int rows, int cols) {
  __shared__ float tile[8][9];
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x < cols && y < rows) {
    tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
    middle[(y * cols + x) * 2] = tile[threadIdx.y][threadIdx.x];
  }
  __syncthreads();
  if (x < cols && y < rows) out[x * rows + y] = middle[(y * cols + x) * 2];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  float* middle;
  cudaMalloc(&middle, size_t(rows) * cols * 2 * sizeof(float));
  dim3 grid((cols + 7) / 8, (rows + 7) / 8), block(8, 8);
  measured<<<grid, block>>>(input, middle, output, rows, cols);
  cudaFree(middle);
}
