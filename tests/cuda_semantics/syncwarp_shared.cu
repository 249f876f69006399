// Shared memory exchanged within a warp, with __syncwarp where the block would need __syncthreads.
#include <cstdio>

__global__ void reduce(const int* in, int* out) {
  __shared__ int part[4][32];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  part[warp][lane] = in[blockIdx.x * 128 + threadIdx.x];
  __syncwarp();
  for (int half = 16; half > 0; half /= 2) {
    int sum = part[warp][lane] + part[warp][lane ^ half];
    __syncwarp();
    part[warp][lane] = sum;
    __syncwarp();
  }
  if (lane == 0) out[blockIdx.x * 4 + warp] = part[warp][0];
}

__global__ void reverse_halves(int* out) {
  __shared__ int part[32];
  int lane = threadIdx.x;
  part[lane] = lane;
  if (lane < 16) {
    __syncwarp(0x0000ffff);
    out[lane] = part[15 - lane];
  } else {
    __syncwarp(0xffff0000);
    out[lane] = part[47 - lane];
  }
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 256 * sizeof(int));
  cudaMallocManaged(&out, 32 * sizeof(int));
  for (int i = 0; i < 256; ++i) in[i] = i % 23;
  reduce<<<2, 128>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; ++i) printf("%d ", out[i]);
  reverse_halves<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  printf("\n");
  for (int i = 0; i < 32; ++i) printf("%d ", out[i]);
  printf("\n");
  cudaFree(in);
  cudaFree(out);
}
