// A loop that some lanes leave and others cut short.
__global__ void measured(const float* in, float* out, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = rows * cols;
  float sum = 0;
  #pragma unroll 1
  for (int k = 0; k < 12; k++) {
    if (i + k >= n || k > threadIdx.x % 11) break;
    if ((i + k) % 3 == 0) continue;
    sum += in[i + k];
  }
  if (i < n) out[i] = sum;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  measured<<<(rows * cols + 255) / 256, 256>>>(input, output, rows, cols);
}
