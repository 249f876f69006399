// A float cut to an int and back: no negative zero.
#include <cstdio>

__global__ void cut(const float* in, float* out) { out[threadIdx.x] = (float)(int)in[threadIdx.x]; }

int main() {
  float values[8] = {-0.5f, 0.5f, -0.0f, 1.9f, -1.9f, 16777216.0f, -3.0f, 0.0f};
  float *in, *out;
  cudaMalloc(&in, sizeof(values));
  cudaMalloc(&out, sizeof(values));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  cut<<<1, 8>>>(in, out);
  cudaMemcpy(values, out, sizeof(values), cudaMemcpyDeviceToHost);
  for (float value : values) printf("%g\n", value);
  cudaFree(in);
  cudaFree(out);
}
