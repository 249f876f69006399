// No barrier between the store to shared memory and other threads' loads of it.
__global__ void measured(const float* in, float* out, int n) {
  __shared__ float tile[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0;
  float got = tile[63 - threadIdx.x];  // finding: race
  if (i < n) out[i] = got;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  int n = rows * cols;
  measured<<<(n + 63) / 64, 64>>>(input, output, n);
}
