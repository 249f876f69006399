// The guard lets one thread too many through, which writes past the end of the output.
__global__ void measured(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) {
    out[i] = in[i % n];  // finding: out_of_bounds_write
  }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  int n = rows * cols;
  measured<<<n / 64 + 1, 64>>>(input, output, n);
}
