// Reads one element past the end of the input; what it writes is right but for the last element.
__global__ void measured(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float next = in[i + 1];  // finding: out_of_bounds_read
    out[i] = next;
  }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  int n = rows * cols;
  measured<<<(n + 63) / 64, 64>>>(input, output, n);
}
