// One dynamic shared array seen as several arrays of different types, with their alignments, and
// the same memory through two declarations.
#include <cstdio>

extern __shared__ double doubles_at_file_scope[];

struct Pair {
  short key;
  float value;
};

__global__ void views(int* out, int n) {
  extern __shared__ __align__(16) unsigned char bytes[];
  float4* quads = (float4*)bytes;
  double* doubles = (double*)(quads + n);
  Pair* pairs = reinterpret_cast<Pair*>(doubles + n);
  unsigned char* flags = (unsigned char*)(pairs + n);
  int i = threadIdx.x;
  quads[i] = make_float4(i, 2 * i, 3 * i, 4 * i);
  doubles[n - 1 - i] = i * 0.5;
  pairs[i] = {(short)-i, i + 0.25f};
  flags[i] = i % 2;
  __syncthreads();
  int other = (i + 1) % n;
  float4 q = quads[other];
  out[i * 4] = q.x + q.y + q.z + q.w;
  out[i * 4 + 1] = doubles_at_file_scope[2 * n + i] * 2;
  out[i * 4 + 2] = pairs[other].key * 1000 + (int)(pairs[other].value * 4);
  out[i * 4 + 3] = flags[other] + 10 * ((unsigned long long)bytes % 16 == 0);
}

int main() {
  int* out;
  cudaMallocManaged(&out, 512 * sizeof(int));
  for (int n : {1, 7, 128}) {
    size_t bytes = n * (sizeof(float4) + sizeof(double) + sizeof(Pair) + 1);
    views<<<1, n, bytes>>>(out, n);
    cudaDeviceSynchronize();
    for (int i : {0, n / 2, n - 1}) {
      printf("%d %d: %d %d %d %d\n", n, i, out[i * 4], out[i * 4 + 1], out[i * 4 + 2],
             out[i * 4 + 3]);
    }
  }
  cudaFree(out);
}
