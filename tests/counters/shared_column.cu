// All lanes of a warp in one bank.
__global__ void measured(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[32 * 32];
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = rows * cols;
  int x = threadIdx.x % 32, y = threadIdx.x / 32;
  tile[x * 32 + y] = i < n ? in[i] : 0;
  __syncthreads();
  if (i < n) out[i] = tile[x * 32 + (y + 3) % 8];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  measured<<<(rows * cols + 255) / 256, 256>>>(input, output, rows, cols);
}
