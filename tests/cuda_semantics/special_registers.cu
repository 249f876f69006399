// Lane and lane masks by inline PTX, and instructions that have a function of the same meaning.
#include <cstdio>

__device__ unsigned lane_id() {
  unsigned lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

__global__ void registers(unsigned* out) {
  __shared__ unsigned given[64];
  unsigned thread = threadIdx.x + threadIdx.y * blockDim.x;
  unsigned less, x;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(less));
  asm("mov.u32 %0, %%tid.x;" : "=r"(x));
  given[thread] = less;
  asm volatile("bar.sync 0;" ::: "memory");
  out[thread] = lane_id() * 100 + x;
  out[64 + thread] = given[63 - thread];
  unsigned long long before, after;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(before));
  asm volatile("membar.gl;" ::: "memory");
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(after));
  out[128 + thread] = after >= before;
}

int main() {
  unsigned* out;
  cudaMallocManaged(&out, 192 * sizeof(unsigned));
  registers<<<1, dim3(16, 4)>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; i += 9) printf("%u %08x %u\n", out[i], out[64 + i], out[128 + i]);
  cudaFree(out);
}
