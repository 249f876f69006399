// Loads and stores of double.
__global__ void measured(const float* in, float* out, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = rows * cols;
  if (i < n / 2) ((double*)out)[i] = ((const double*)in)[i];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  measured<<<(rows * cols + 255) / 256, 256>>>(input, output, rows, cols);
}
