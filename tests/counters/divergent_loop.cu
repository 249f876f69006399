// Each lane of a warp goes round as often as its number says.
__global__ void measured(const float* in, float* out, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = rows * cols;
  float sum = 0;
  if (i < n)
  #pragma unroll 1
    for (int k = 0; k < threadIdx.x % 7; k++) sum += in[(i + k * 37) % n];
  if (i < n) out[i] = sum;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  measured<<<(rows * cols + 255) / 256, 256>>>(input, output, rows, cols);
}
