// The last thread writes past the end of the shared array.
__global__ void measured(const float* in, float* out, int n) {
  __shared__ float tile[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  volatile float* at = tile + threadIdx.x + 1;
  *at = i < n ? in[i] : 0;  // finding: out_of_bounds_write
  __syncthreads();
  if (i < n) out[i] = threadIdx.x ? tile[threadIdx.x] : 0;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  int n = rows * cols;
  measured<<<(n + 63) / 64, 64>>>(input, output, n);
}
