// A tree reduction and a Hillis-Steele scan: barriers in loops, each reached by the whole block.
#include <cstdio>

constexpr int n = 256;

__global__ void reduce(const int* in, int* out) {
  __shared__ int part[n];
  int i = threadIdx.x;
  part[i] = in[blockIdx.x * n + i];
  __syncthreads();
  for (int half = n / 2; half > 0; half /= 2) {
    if (i < half) part[i] += part[i + half];
    __syncthreads();
  }
  if (i == 0) out[blockIdx.x] = part[0];
}

__global__ void scan(const int* in, int* out) {
  __shared__ int sums[n];
  int i = threadIdx.x;
  sums[i] = in[i];
  __syncthreads();
  for (int step = 1; step < n; step *= 2) {
    int before = i >= step ? sums[i - step] : 0;
    __syncthreads();
    sums[i] += before;
    __syncthreads();
  }
  out[i] = sums[i];
}

int main() {
  constexpr int blocks = 5;
  int host[blocks * n], sums[blocks], scanned[n];
  for (int i = 0; i < blocks * n; ++i) host[i] = i % 37;
  int *in, *out;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof scanned);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  reduce<<<blocks, n>>>(in, out);
  cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
  for (int b = 0; b < blocks; ++b) printf("sum %d: %d\n", b, sums[b]);
  scan<<<1, n>>>(in, out);
  cudaMemcpy(scanned, out, sizeof scanned, cudaMemcpyDeviceToHost);
  for (int i = 15; i < n; i += 48) printf("scan %d: %d\n", i, scanned[i]);
  cudaFree(in);
  cudaFree(out);
}
