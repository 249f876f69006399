// Two views of dynamic shared memory.
__global__ void measured(const float* in, float* out, int rows, int cols) {
  extern __shared__ float memory[];
  int* places = (int*)(memory + 256);
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = rows * cols;
  memory[threadIdx.x] = i < n ? in[i] : 0;
  places[threadIdx.x] = (threadIdx.x * 33) % 256;
  __syncthreads();
  if (i < n) out[i] = memory[places[threadIdx.x]];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  measured<<<(rows * cols + 255) / 256, 256, 2048>>>(input, output, rows, cols);
}
