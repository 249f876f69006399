// Blocks of 100 threads: the last warp has four lanes.
__global__ void measured(const float* in, float* out, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = rows * cols;
  if (i < n) out[i] = in[i];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  measured<<<(rows * cols + 99) / 100, 100>>>(input, output, rows, cols);
}
