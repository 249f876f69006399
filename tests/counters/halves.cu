// Loads and stores of 2 bytes.
__global__ void measured(const float* in, float* out, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = rows * cols;
  if (i < 2 * n) ((unsigned short*)out)[i] = ((const unsigned short*)in)[i];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  measured<<<(2 * rows * cols + 255) / 256, 256>>>(input, output, rows, cols);
}
