// Launches that CUDA refuses: the kernel doesn't run, the error is returned once and then cleared,
// and the next launch works.
#include <cstdio>

__global__ void mark(int* out) {
  if (threadIdx.x + threadIdx.y + threadIdx.z + blockIdx.x + blockIdx.y + blockIdx.z == 0) *out += 1;
}
__global__ void with_static(int* out) {
  __shared__ int values[8 * 1024];
  extern __shared__ int more[];
  values[threadIdx.x] = more[threadIdx.x] = 1;
  __syncthreads();
  *out += values[threadIdx.x] + more[0];
}

static int* out;
static void show(const char* name) {
  cudaError_t peeked = cudaPeekAtLastError();
  cudaError_t error = cudaGetLastError();
  int host;
  cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%s: %s %s, %s; runs %d\n", name, cudaGetErrorName(peeked), cudaGetErrorName(error),
         cudaGetErrorName(cudaGetLastError()), host);
}

int main() {
  cudaMalloc(&out, sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  mark<<<1, 1>>>(out);
  show("fine");
  mark<<<1, 1500>>>(out);
  show("1500 threads");
  mark<<<1, dim3(32, 33)>>>(out);
  show("32 x 33 threads");
  mark<<<1, dim3(1, 1, 65)>>>(out);
  show("65 deep");
  mark<<<1, dim3(2, 1, 64)>>>(out);
  show("64 deep");
  mark<<<1, 0>>>(out);
  show("no threads");
  mark<<<0, 1>>>(out);
  show("no blocks");
  mark<<<dim3(1, 65536), 1>>>(out);
  show("65536 rows of blocks");
  mark<<<dim3(1, 65535), 1>>>(out);
  show("65535 rows of blocks");
  mark<<<1, 1, 48 * 1024>>>(out);
  show("48 KiB");
  mark<<<1, 1, 48 * 1024 + 4>>>(out);
  show("48 KiB and 4");
  cudaFuncSetAttribute(mark, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024);
  mark<<<1, 1, 64 * 1024>>>(out);
  show("64 KiB");
  mark<<<1, 1, 64 * 1024 + 4>>>(out);
  show("64 KiB and 4");
  mark<<<1, 1, 1024 * 1024>>>(out);
  show("1 MiB");
  with_static<<<1, 1, 16 * 1024>>>(out);
  show("32 KiB static, 16 KiB dynamic");
  with_static<<<1, 1, 16 * 1024 + 16>>>(out);
  show("32 KiB static, 16 KiB and 16 dynamic");
  mark<<<1, 1>>>(out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  show("fine again");
  cudaFree(out);
}
