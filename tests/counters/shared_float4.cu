// Shared memory in float4.
__global__ void measured(const float* in, float* out, int rows, int cols) {
  __shared__ float4 tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = rows * cols;
  float v = i < n ? in[i] : 0;
  tile[threadIdx.x] = make_float4(v, v + 1, v + 2, v + 3);
  __syncthreads();
  float4 got = tile[(threadIdx.x * 5) % 256];
  if (i < n) out[i] = got.x + got.y + got.z + got.w;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  measured<<<(rows * cols + 255) / 256, 256>>>(input, output, rows, cols);
}
