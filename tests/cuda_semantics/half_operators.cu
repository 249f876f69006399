// half, half2, bfloat16 and their pairs in expressions: operators, conversions that need no cast,
// arrays in shared, constant and kernel arguments' memory, templates.
#include <cstdio>
#include <cuda_bf16.h>

__constant__ half weights[2];
__device__ half2 total;

template <class T>
__device__ T blend(T a, T b, T t) {
  return a + (b - a) * t;
}

template <class H, class H2>
__device__ void use(const float* in, float* out) {
  H a = in[0], b = in[1], c = 3, d = 0.25;
  out[0] = a + b;
  out[1] = a - b;
  out[2] = a * b;
  out[3] = a / b;
  out[4] = -a;
  out[5] = a++;
  out[6] = a;
  out[7] = --a;
  a += b;
  a *= 2.0f;
  a -= H(1);
  a /= 4;
  out[8] = a;
  out[9] = blend(a, c, d);
  out[10] = a > b ? float(a) : float(b);
  out[11] = c && !H(0.0f);
  out[12] = (int)(c * d);
  double wide = d;
  out[13] = wide + (double)b;
  H2 x(a, b), y = {c, d};
  H2 z = x * y + H2(1.0f, 2);
  z -= y;
  z /= x;
  out[14] = z.x;
  out[15] = z.y;
  H2 before = z++;
  out[16] = before.x == z.x;
  out[17] = (float)z.x - (float)before.x;
  out[18] = -z == H2(-z.x, -z.y);
  H values[3] = {1.5f, 2, 3.25};
  float sum = 0;
  for (H value : values) sum += float(value);
  out[19] = sum;
}

__global__ void run(const float* in, float* out, half2 argument) {
  __shared__ half tile[4];
  tile[threadIdx.x] = half(threadIdx.x) * weights[threadIdx.x % 2];
  __syncthreads();
  if (threadIdx.x == 0) {
    use<half, half2>(in, out);
    use<nv_bfloat16, nv_bfloat162>(in, out + 20);
    total = argument + half2(tile[1], tile[3]);
    out[40] = total.x;
    out[41] = total.y;
    const half2* pairs = reinterpret_cast<const half2*>(tile);
    out[42] = __low2float(pairs[1]);
    out[43] = __high2float(pairs[1]);
  }
}

int main() {
  float *in, *out;
  cudaMallocManaged(&in, 2 * sizeof(float));
  cudaMallocManaged(&out, 44 * sizeof(float));
  in[0] = 1.375f;
  in[1] = -0.75f;
  half host[2] = {half(2.0f), __float2half(-0.5f)};
  host[1] = host[1] * host[0] + half(0.5f);
  cudaMemcpyToSymbol(weights, host, sizeof host);
  run<<<1, 4>>>(in, out, half2(10.0f, 20.0f));
  cudaDeviceSynchronize();
  for (int i = 0; i < 44; ++i) printf("%d %g\n", i, out[i]);
  half2 back;
  cudaMemcpyFromSymbol(&back, total, sizeof back);
  printf("%g %g\n", (float)back.x, (float)back.y);
  cudaFree(in);
  cudaFree(out);
}
