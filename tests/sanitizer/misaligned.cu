// float4 at an address that is no multiple of 16.
__global__ void measured(const float* in, float* out, int n) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 5 <= n) {
    float4 got = *(const float4*)(in + i + 1);  // finding: illegal_access
    out[i] = got.x + got.y + got.z + got.w;
  }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  int n = rows * cols;
  measured<<<(n / 4 + 63) / 64, 64>>>(input, output, n);
}
