// Adds to an output that nobody has cleared.
__global__ void measured(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] += in[i];  // finding: uninitialised_read
  }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  int n = rows * cols;
  measured<<<(n + 63) / 64, 64>>>(input, output, n);
}
