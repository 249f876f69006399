// Shared memory with a stride of two words.
__global__ void measured(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[512];
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = rows * cols;
  tile[2 * threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  if (i < n) out[i] = tile[(2 * threadIdx.x + 64) % 512];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  measured<<<(rows * cols + 255) / 256, 256>>>(input, output, rows, cols);
}
