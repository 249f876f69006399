// Shared memory in double, with a stride of three.
__global__ void measured(const float* in, float* out, int rows, int cols) {
  __shared__ double tile[768];
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = rows * cols;
  tile[3 * threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  if (i < n) out[i] = (float)tile[3 * ((threadIdx.x + 7) % 256)];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  measured<<<(rows * cols + 255) / 256, 256>>>(input, output, rows, cols);
}
