// Half of the shared array is never written, and read.
__global__ void measured(const float* in, float* out, int n) {
  __shared__ float tile[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  if (threadIdx.x < 32) tile[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  float got = tile[threadIdx.x];  // finding: uninitialised_read
  if (i < n) out[i] = got;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  int n = rows * cols;
  measured<<<(n + 63) / 64, 64>>>(input, output, n);
}
