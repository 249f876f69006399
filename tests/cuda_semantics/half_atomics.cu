// atomicAdd of half, bfloat16 and pairs of them, on global and shared memory; loads and stores with
// a cache hint.
#include <cstdio>
#include <cuda_bf16.h>

template <class H, class H2>
__global__ void add(H* sum, H2* pairs, int* before, const H* in, H* out, H2* swapped) {
  __shared__ H2 block;
  if (threadIdx.x == 0) block = H2(0.0f, 0.0f);
  __syncthreads();
  // Each old value is met once, so their sum doesn't depend on the order.
  atomicAdd(before, (int)atomicAdd(sum, H(1.0f)));
  H2 old = atomicAdd(&block, H2(1.0f, -2.0f));
  atomicAdd(before + 1, (int)old.x);
  atomicAdd(before + 2, (int)old.y);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(pairs, block);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __stcs(&out[i], __ldg(&in[i]));
  if (i % 2 == 0) {
    const H2* pair = reinterpret_cast<const H2*>(&in[i]);
    __stcg(&swapped[i / 2], __lowhigh2highlow(__ldcg(pair)));
  }
}

template <class H, class H2>
void run(const char* name) {
  H *sum, *in, *out;
  H2 *pairs, *swapped;
  int* before;
  cudaMallocManaged(&sum, sizeof *sum);
  cudaMallocManaged(&pairs, sizeof *pairs);
  cudaMallocManaged(&before, 3 * sizeof *before);
  cudaMallocManaged(&in, 128 * sizeof *in);
  cudaMallocManaged(&out, 128 * sizeof *out);
  cudaMallocManaged(&swapped, 64 * sizeof *swapped);
  *sum = H(0.0f);
  *pairs = H2(0.5f, -0.5f);
  for (int k = 0; k < 3; ++k) before[k] = 0;
  for (int i = 0; i < 128; ++i) in[i] = H((float)i);
  add<H, H2><<<2, 64>>>(sum, pairs, before, in, out, swapped);
  cudaDeviceSynchronize();
  printf("%s %g %g %g", name, (float)*sum, (float)pairs->x, (float)pairs->y);
  printf(" %d %d %d", before[0], before[1], before[2]);
  int wrong = 0;
  for (int i = 0; i < 128; ++i) {
    float moved = i % 2 ? (float)swapped[i / 2].x : (float)swapped[i / 2].y;
    wrong += (float)out[i] != i || moved != i;
  }
  printf(" %d\n", wrong);
  cudaFree(sum);
  cudaFree(pairs);
  cudaFree(before);
  cudaFree(in);
  cudaFree(out);
  cudaFree(swapped);
}

int main() {
  run<half, half2>("half");
  run<nv_bfloat16, nv_bfloat162>("bfloat16");
}
