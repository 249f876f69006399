// Loads and stores of 1 byte, in reverse.
__global__ void measured(const float* in, float* out, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = rows * cols;
  if (i < 4 * n) ((unsigned char*)out)[i] = ((const unsigned char*)in)[4 * n - 1 - i];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  measured<<<(4 * rows * cols + 255) / 256, 256>>>(input, output, rows, cols);
}
