// Only the threads of the first half reach the barrier in the branch.
__global__ void measured(const float* in, float* out, int n) {
  __shared__ float tile[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0;
  if (threadIdx.x < 16) {
    __syncthreads();  // finding: divergent_barrier
    tile[threadIdx.x] += 1;
  }
  if (i < n) out[i] = tile[threadIdx.x];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  int n = rows * cols;
  measured<<<(n + 63) / 64, 64>>>(input, output, n);
}
