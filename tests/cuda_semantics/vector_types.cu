// Vector types: sizes, alignments, make_*, loads and stores of whole vectors, members.
#include <cstdio>

struct Mixed {
  char c;
  float3 three;
  double2 two;
  uchar4 bytes;
  float4 four;
};

__global__ void vectors(const float4* in, float4* out, float2* halves, int* sizes) {
  int i = threadIdx.x;
  float4 v = in[i];
  float2 low = *(const float2*)&in[i];
  out[i] = make_float4(v.w, v.z, low.y, low.x);
  halves[i] = {v.x + v.y, v.z + v.w};
  if (i == 0) {
    int known[] = {sizeof(float3),  alignof(float3),  sizeof(float4),      alignof(float4),
                   sizeof(double2), alignof(double2), sizeof(uchar4),      alignof(uchar4),
                   sizeof(short3),  alignof(short3),  sizeof(longlong2),   alignof(longlong2),
                   sizeof(Mixed),   alignof(Mixed),   sizeof(dim3),        alignof(dim3),
                   sizeof(char3),   alignof(ushort4), (int)offsetof(Mixed, two)};
    for (int k = 0; k < 19; ++k) sizes[k] = known[k];
  }
}

int main() {
  float4 *in, *out;
  float2* halves;
  int* sizes;
  cudaMallocManaged(&in, 8 * sizeof(float4));
  cudaMallocManaged(&out, 8 * sizeof(float4));
  cudaMallocManaged(&halves, 8 * sizeof(float2));
  cudaMallocManaged(&sizes, 20 * sizeof(int));
  for (int i = 0; i < 8; ++i) in[i] = make_float4(i, i + 0.5f, -i, 100 * i);
  vectors<<<1, 8>>>(in, out, halves, sizes);
  cudaDeviceSynchronize();
  for (int i : {1, 7}) {
    printf("%g %g %g %g, %g %g\n", out[i].x, out[i].y, out[i].z, out[i].w, halves[i].x,
           halves[i].y);
  }
  for (int k = 0; k < 19; ++k) printf("%d ", sizes[k]);
  printf("\n");
  cudaFree(in);
  cudaFree(out);
  cudaFree(halves);
  cudaFree(sizes);
}
