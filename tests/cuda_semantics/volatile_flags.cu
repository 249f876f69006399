// Threads that poll memory in a loop without any call: a flag within a block, and one between
// blocks.
#include <cstdio>

__device__ volatile int ready;

__global__ void within_block(int* out) {
  __shared__ volatile int turn;
  if (threadIdx.x == 0) turn = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    int mine = 3 - threadIdx.x / 32;
    while (turn != mine) {
    }
    out[mine] = threadIdx.x;
    __threadfence_block();
    turn = mine + 1;
  }
}

__global__ void between_blocks(volatile int* data, int* out) {
  if (blockIdx.x == 0) {
    while (ready == 0) {
    }
    __threadfence();
    if (threadIdx.x == 0) out[0] = data[0] + data[1];
  } else if (threadIdx.x == 0) {
    data[0] = 40;
    data[1] = 2;
    __threadfence();
    ready = 1;
  }
}

int main() {
  int *out, *data;
  cudaMallocManaged(&out, 4 * sizeof(int));
  cudaMallocManaged(&data, 2 * sizeof(int));
  within_block<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  printf("%d %d %d %d\n", out[0], out[1], out[2], out[3]);
  between_blocks<<<2, 32>>>(data, out);
  cudaDeviceSynchronize();
  printf("%d\n", out[0]);
  cudaFree(out);
  cudaFree(data);
}
