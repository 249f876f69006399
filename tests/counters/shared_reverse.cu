// A block's elements reversed through shared memory.
__global__ void measured(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = rows * cols;
  tile[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  if (i < n) out[i] = tile[255 - threadIdx.x];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  measured<<<(rows * cols + 255) / 256, 256>>>(input, output, rows, cols);
}
