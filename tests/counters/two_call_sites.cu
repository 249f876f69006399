// One function, called from two branches and once by all.

__device__ __noinline__ float fetch(const float* p, int i) { return p[i]; }

__global__ void measured(const float* in, float* out, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = rows * cols;
  if (i >= n) return;
  float v = i % 2 ? fetch(in, i) : fetch(in, n - 1 - i);
  out[i] = v + fetch(in, i / 2);
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  measured<<<(rows * cols + 255) / 256, 256>>>(input, output, rows, cols);
}
