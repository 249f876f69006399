// A block of 4 x 4 x 8 threads.
__global__ void measured(const float* in, float* out, int rows, int cols) {
  int t = threadIdx.x + 4 * (threadIdx.y + 4 * threadIdx.z);
  int i = blockIdx.x * 128 + t;
  if (i < rows * cols) out[i] = in[i / 4 * 4 + threadIdx.x];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  measured<<<(rows * cols + 127) / 128, dim3(4, 4, 8)>>>(input, output, rows, cols);
}
