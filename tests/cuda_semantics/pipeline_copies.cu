// Asynchronous copies of a thread: of 4, 8 and 16 bytes, with zeros for all or the last of them, and
// in batches that are waited for one after the other. In the second kernel the blocks wait for each
// other between the copies and the wait for them.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <cstdio>

namespace cg = cooperative_groups;

constexpr int THREADS = 64, STAGES = 3, ROUNDS = 7;

__global__ void copies(const int* in, int* out) {
  __shared__ __align__(16) int ones[THREADS], zeros[THREADS];
  __shared__ __align__(16) int2 pairs[THREADS];
  __shared__ __align__(16) int4 fours[THREADS], parts[THREADS];
  const int i = threadIdx.x;
  zeros[i] = 77;
  __pipeline_memcpy_async(&ones[i], &in[i], 4);
  __pipeline_memcpy_async(&zeros[i], &in[i], 4, 4);
  __pipeline_memcpy_async(&pairs[i], &in[2 * i], 8);
  __pipeline_commit();
  __pipeline_memcpy_async(&fours[i], &in[4 * i], 16);
  __pipeline_memcpy_async(&parts[i], &in[4 * i], 16, 4);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  int sum = ones[i] + zeros[i] + pairs[i].y;
  __pipeline_wait_prior(0);
  __syncthreads();
  const int other = THREADS - 1 - i;
  sum += fours[other].w + 2 * parts[other].z + 3 * parts[other].w;
  out[i] = sum;
}

__global__ void ring(const int* in, int* out) {
  __shared__ int stages[STAGES][THREADS];
  auto grid = cg::this_grid();
  const int i = threadIdx.x;
  const int* from = in + blockIdx.x;
  for (int s = 0; s < STAGES - 1; ++s) {
    __pipeline_memcpy_async(&stages[s][i], &from[s * THREADS + i], 4);
    __pipeline_commit();
  }
  int sum = 0;
  for (int t = 0; t < ROUNDS; ++t) {
    const int ahead = t + STAGES - 1;
    if (t % 3 == 0) grid.sync();
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    if (ahead < ROUNDS) {
      __pipeline_memcpy_async(&stages[ahead % STAGES][i], &from[ahead * THREADS + i], 4);
    }
    __pipeline_commit();
    sum = 3 * sum + stages[t % STAGES][THREADS - 1 - i];
  }
  out[blockIdx.x * THREADS + i] = sum;
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 1024 * sizeof(int));
  cudaMallocManaged(&out, 3 * THREADS * sizeof(int));
  for (int i = 0; i < 1024; ++i) in[i] = 1 + i * i % 101;
  copies<<<1, THREADS>>>(in, out);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < THREADS; ++i) {
    const int o = THREADS - 1 - i;
    wrong += out[i] != in[i] + in[2 * i + 1] + in[4 * o + 3] + 2 * in[4 * o + 2];
  }
  printf("copies: %d wrong, the first %d\n", wrong, out[0]);

  void* arguments[] = {&in, &out};
  cudaLaunchCooperativeKernel(ring, 3, THREADS, arguments);
  cudaDeviceSynchronize();
  wrong = 0;
  for (int i = 0; i < 3 * THREADS; ++i) {
    int sum = 0;
    for (int t = 0; t < ROUNDS; ++t) {
      sum = 3 * sum + in[i / THREADS + t * THREADS + THREADS - 1 - i % THREADS];
    }
    wrong += out[i] != sum;
  }
  printf("ring: %d wrong, %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
  cudaFree(in);
  cudaFree(out);
}
