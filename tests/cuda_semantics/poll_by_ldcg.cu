// Each block waits for the one before it in loops that __ldcg alone fetches for: it loads at each
// call, whatever else the loop does and whatever its type.
#include <cstdio>

__global__ void pass_on(int* told, float2* pairs, int* rounds) {
  __shared__ int much[11000];
  much[threadIdx.x] = 1;
  if (threadIdx.x == 0 && blockIdx.x > 0) {
    int looks = 0;
    for (;;) {
      ++looks;
      if (__ldcg(&told[blockIdx.x - 1]) != 0) break;
    }
    float2 seen;
    do {
      seen = __ldcg(&pairs[blockIdx.x - 1]);
      looks += 2;
    } while (seen.y != 2.0f);
    rounds[blockIdx.x] = looks;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    __stcg(&told[blockIdx.x], much[0]);
    __stcg(&pairs[blockIdx.x], make_float2(1.0f, 2.0f));
  }
}
int main() {
  int *told, *rounds;
  float2* pairs;
  cudaMallocManaged(&told, 64 * sizeof(int));
  cudaMallocManaged(&rounds, 64 * sizeof(int));
  cudaMallocManaged(&pairs, 64 * sizeof(float2));
  int sum = 0;
  for (int launch = 0; launch < 10; ++launch) {
    for (int i = 0; i < 64; ++i) told[i] = rounds[i] = 0, pairs[i] = make_float2(0.0f, 0.0f);
    pass_on<<<64, 64>>>(told, pairs, rounds);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i) sum += told[i] + (int)pairs[i].y + (i > 0 && rounds[i] < 3);
  }
  printf("%d\n", sum);
}
