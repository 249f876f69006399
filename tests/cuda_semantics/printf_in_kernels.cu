// printf in a kernel, by one thread at a time so that the order is known.
#include <cstdio>

__global__ void say(int turn, const float* values) {
  if (threadIdx.x == 3 && blockIdx.x == 1) {
    printf("turn %d: block %d thread %u %5.2f %s %c %lld%%\n", turn, blockIdx.x, threadIdx.x,
           values[turn], "text", 'c', 1ll << 40);
  }
}

int main() {
  float host[3] = {1.5f, -2.25f, 1e6f};
  float* values;
  cudaMalloc(&values, sizeof host);
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  for (int turn = 0; turn < 3; ++turn) {
    say<<<2, 4>>>(turn, values);
    cudaDeviceSynchronize();
    printf("after turn %d\n", turn);
  }
  cudaFree(values);
}
