// Shuffles of half, half2 and bfloat16: the bits of another lane, within segments of the width.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void shuffle(float* out) {
  int lane = threadIdx.x;
  __half h = __float2half(lane * 0.5f);
  __half2 pair = __floats2half2_rn(lane, -lane);
  __nv_bfloat16 b = __float2bfloat16(lane * 2.0f);
  float* at = out + lane * 6;
  at[0] = __half2float(__shfl_sync(0xffffffff, h, 3));
  at[1] = __half2float(__shfl_down_sync(0xffffffff, h, 4, 16));
  at[2] = __half2float(__shfl_up_sync(0xffffffff, h, 1u));
  __half2 other = __shfl_xor_sync(0xffffffff, pair, 5);
  at[3] = __low2float(other);
  at[4] = __high2float(other);
  at[5] = __bfloat162float(__shfl_xor_sync(0xffffffff, b, 16, 32));
}

__global__ void sum(float* out) {
  __half value = __float2half(threadIdx.x + 1.0f);
  for (int step = 16; step > 0; step /= 2) value = __hadd(value, __shfl_down_sync(~0u, value, step));
  if (threadIdx.x == 0) *out = __half2float(value);
}

int main() {
  float host[192], total, *out;
  cudaMalloc(&out, sizeof(host));
  shuffle<<<1, 32>>>(out);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  for (int lane : {0, 1, 11, 13, 27, 31}) {
    for (int i = 0; i < 6; ++i) printf("%g ", host[lane * 6 + i]);
    printf("\n");
  }
  sum<<<1, 32>>>(out);
  cudaMemcpy(&total, out, sizeof(total), cudaMemcpyDeviceToHost);
  printf("%g\n", total);
  cudaFree(out);
}
