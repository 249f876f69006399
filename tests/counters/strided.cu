// Neighbouring threads read elements that are five apart.
__global__ void measured(const float* in, float* out, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = rows * cols;
  if (i < n) out[i] = in[(long long)i * 5 % n];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  measured<<<(rows * cols + 255) / 256, 256>>>(input, output, rows, cols);
}
