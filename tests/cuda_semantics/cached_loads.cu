// __ldg and its kin, stores with a cache hint, const __restrict__: the same values as plain
// accesses.
#include <cstdio>

__global__ void copies(const int* __restrict__ in, const float4* __restrict__ quads, int* out,
                       float4* out_quads) {
  int i = threadIdx.x;
  int sum = __ldg(in + i) + __ldg(&in[(i + 1) % 32]) * 10;
  sum += __ldcs(in + i) + __ldca(in + i) + __ldcg(in + i) + __ldlu(in + i) + __ldcv(in + i);
  __stcs(out + i, sum);
  float4 q = __ldg(quads + i);
  q.x += 1;
  __stwt(out_quads + i, q);
  __stcg(&out[32 + i], (int)__ldg(&quads[i].y));
  __stwb(&out[64 + i], in[31 - i]);
}

int main() {
  int *in, *out;
  float4 *quads, *out_quads;
  cudaMallocManaged(&in, 32 * sizeof(int));
  cudaMallocManaged(&out, 96 * sizeof(int));
  cudaMallocManaged(&quads, 32 * sizeof(float4));
  cudaMallocManaged(&out_quads, 32 * sizeof(float4));
  for (int i = 0; i < 32; ++i) {
    in[i] = i * 3;
    quads[i] = make_float4(i, i * 2, i * 3, i * 4);
  }
  copies<<<1, 32>>>(in, quads, out, out_quads);
  cudaDeviceSynchronize();
  for (int i : {0, 5, 31}) {
    printf("%d %d %d, %g %g\n", out[i], out[32 + i], out[64 + i], out_quads[i].x, out_quads[i].w);
  }
  cudaFree(in);
  cudaFree(out);
  cudaFree(quads);
  cudaFree(out_quads);
}
