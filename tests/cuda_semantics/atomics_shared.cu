// Atomics on shared memory: a histogram, a stack, extremes, and the scopes _block and _system.
#include <cstdio>

__global__ void histogram(const unsigned char* in, int* out, int n) {
  __shared__ int bins[16];
  __shared__ int top, least;
  __shared__ unsigned long long most;
  __shared__ int stack[256];
  int t = threadIdx.x;
  if (t < 16) bins[t] = 0;
  if (t == 0) top = 0, least = 1 << 30, most = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&bins[in[i] % 16], 1);
    atomicMin_block(&least, in[i]);
    atomicMax(&most, (unsigned long long)in[i] << 40);
  }
  if (t % 3 == 0) stack[atomicAdd_block(&top, 1)] = t;
  __syncthreads();
  if (t < 16) atomicAdd_system(&out[t], bins[t]);
  if (t == 0) {
    int sum = 0;
    for (int i = 0; i < top; ++i) sum += stack[i];
    atomicAdd(&out[16], sum);
    atomicAdd(&out[17], top);
    atomicMin(&out[18], least);
    atomicMax(&out[19], (int)(most >> 40));
  }
}

int main() {
  constexpr int n = 5000;
  unsigned char* in;
  int* out;
  cudaMallocManaged(&in, n);
  cudaMallocManaged(&out, 20 * sizeof(int));
  for (int i = 0; i < n; ++i) in[i] = 3 + i * i % 251;
  for (int i = 0; i < 20; ++i) out[i] = 0;
  out[18] = 1 << 30;
  histogram<<<3, 256>>>(in, out, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < 20; ++i) printf("%d ", out[i]);
  printf("\n");
  cudaFree(in);
  cudaFree(out);
}
