// Several threads write the same value to one place: no race that matters.
__global__ void measured(const float* in, float* out, int rows, int cols) {
  __shared__ int any;
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = rows * cols;
  if (threadIdx.x == 0) any = 0;
  __syncthreads();
  if (i < n) any = 1;
  __syncthreads();
  if (any && i < n) out[i % cols * rows + i / cols] = in[i];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  measured<<<(rows * cols + 63) / 64, 64>>>(input, output, rows, cols);
}
