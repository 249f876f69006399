// The fast functions are as coarse as a special function unit: large angles, logarithms near 0.
#include <cmath>
#include <cstdio>

__global__ void far_off(bool* out) {
  const float angles[] = {0.5f, 700.0f, 1000.0f, 3000.0f};
  for (int i = 0; i < 4; ++i) {
    const float x = angles[i];
    out[2 * i] = fabs(double(__sinf(x)) - sin(double(x))) > 1e-5;
    out[2 * i + 1] = fabsf(sinf(x) - __sinf(x)) > 5e-3f;
  }
}

int main() {
  bool *out, host[8];
  cudaMalloc(&out, sizeof host);
  far_off<<<1, 1>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (bool far : host) printf("%d ", far);
  printf("\n");
  cudaFree(out);
}
